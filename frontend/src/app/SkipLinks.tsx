/** The first stops of the Tab key: past the rail, into a region. */
import styles from "./SkipLinks.module.css";

export type Region = "list" | "reader";

/** Where keys work in a region; a place beside the conversations has one region, which counts as the list. */
const stopOf = (region: Region) =>
  document.querySelector<HTMLElement>(`[data-region="${region}"] [tabindex="0"]`) ??
  (region === "list" ? document.querySelector<HTMLElement>("main [tabindex='0']") : null);

export const focusRegion = (region: Region): void => stopOf(region)?.focus();

export function SkipLinks({ regions }: { regions: Partial<Record<Region, string>> }) {
  return (
    <nav className={styles.links} aria-label="Skip">
      {(Object.keys(regions) as Region[]).map((region) => (
        <a
          key={region}
          href={`#${region}`}
          className={styles.link}
          onClick={(event) => {
            event.preventDefault();
            focusRegion(region);
          }}
        >
          {regions[region]}
        </a>
      ))}
    </nav>
  );
}
