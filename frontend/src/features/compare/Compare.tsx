/** Two branches side by side. */
export function Compare(_: { profile: string; left: string; right: string }) {
  return null;
}
