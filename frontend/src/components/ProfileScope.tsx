/** Of which profile a page tells: one of them, or all. */
import { useQuery } from "urql";
import { graphql } from "../graphql/generated";
import { useView } from "../lib/useView";
import styles from "./Segments.module.css";

const ScopeProfiles = graphql(`
  query ScopeProfiles {
    profiles { nodeId name status }
  }
`);

export function ProfileScope() {
  const { view, go } = useView();
  const [{ data }] = useQuery({ query: ScopeProfiles });
  const { profile } = view.list;
  const names = data?.profiles.map(({ name }) => name) ?? [];
  if (profile !== null && !names.includes(profile)) names.push(profile);
  return (
    <select className={styles.select} aria-label="Profile" value={profile ?? ""} onChange={(event) => go({ list: { profile: event.target.value || null } })}>
      <option value="">All profiles</option>
      {names.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  );
}
