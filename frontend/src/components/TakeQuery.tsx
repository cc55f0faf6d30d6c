/** Hands out the query behind a view: as GraphQL, as a curl command, as a Python program, in GraphiQL. */
import { asCurl, asGraphiQL, asGraphQL, asPython, type Request } from "../graphql/request";
import { copyText } from "../lib/clipboard";
import { IconButton } from "./IconButton";
import { Menu, MenuItem, MenuLabel } from "./Menu";
import { useToast } from "./Toasts";

const FORMATS = [
  { name: "GraphQL", write: asGraphQL },
  { name: "curl", write: asCurl },
  { name: "Python", write: asPython },
] as const;

export function TakeQuery({ request, label }: { request: Request; label: string }) {
  return (
    <Menu align="end" trigger={<IconButton icon="graphql" label={label} />}>
      <TakeQueryItems request={request} />
    </Menu>
  );
}

/** The ways to take a query, for a menu that offers more. */
export function TakeQueryItems({ request }: { request: Request }) {
  const toast = useToast();
  const copy = async (name: string, text: string) => {
    const copied = await copyText(text);
    toast(copied ? { text: `Copied as ${name}` } : { text: "The browser did not allow copying", tone: "bad" });
  };
  return (
    <>
      <MenuLabel>Take the query</MenuLabel>
      {FORMATS.map(({ name, write }) => (
        <MenuItem key={name} icon="copy" onSelect={() => void copy(name, write(request, window.location.origin))}>
          Copy as {name}
        </MenuItem>
      ))}
      {/* In this tab: another one would not have the token. */}
      <MenuItem icon="graphql" onSelect={() => window.location.assign(asGraphiQL(request))}>
        Open in GraphiQL
      </MenuItem>
    </>
  );
}
