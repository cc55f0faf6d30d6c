/** The profiles that a view shows, by name: the chosen one, or all that can be read. */
import { useMemo } from "react";
import { useQuery } from "urql";
import { graphql } from "../graphql/generated";

const ShownProfiles = graphql(`
  query ShownProfiles {
    profiles { nodeId name status }
  }
`);

const CLOSED = new Set(["DAMAGED", "UNSUPPORTED", "UNREACHABLE"]);

export function useShownProfiles(profile: string | null): string[] {
  const [{ data }] = useQuery({ query: ShownProfiles, pause: profile !== null });
  return useMemo(() => {
    if (profile !== null) return [profile];
    return (data?.profiles ?? []).filter(({ status }) => !CLOSED.has(status)).map(({ name }) => name);
  }, [profile, data]);
}
