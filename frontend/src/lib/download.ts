/** Exports out of `/export/…`: fetched with the token, counted while they come, and saved as files. */
import { authorization } from "./token";

export const EXPORT_FORMATS = ["md", "html", "json", "jsonl"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export interface ExportTarget {
  profile: string;
  /** Of any session of a conversation, or of the one session. */
  id: string;
  scope?: "conversation" | "session" | "lineage";
}

export interface Exported {
  blob: Blob;
  fileName: string;
}

/** Why there is no export, in words for a person. */
export class ExportError extends Error {}

export function exportPath({ profile, id, scope }: ExportTarget, format: ExportFormat): string {
  const path = `/export/${encodeURIComponent(profile)}/${encodeURIComponent(id)}.${format}`;
  return scope === undefined ? path : `${path}?scope=${scope}`;
}

/** Tells after each piece how many bytes have come. Raises ExportError, and AbortError when `signal` says so. */
export async function fetchExport(
  target: ExportTarget,
  format: ExportFormat,
  { onBytes, signal }: { onBytes?: (bytes: number) => void; signal?: AbortSignal } = {},
): Promise<Exported> {
  const response = await fetch(exportPath(target, format), { headers: authorization(), credentials: "same-origin", signal }).catch((error: unknown) => {
    throw asExportError(error, "The server does not answer. Check that it is still running, then try again.");
  });
  if (!response.ok) throw new ExportError(await reason(response));
  const blob = await read(response, onBytes).catch((error: unknown) => {
    throw asExportError(error, "The export broke off before its end. Try again.");
  });
  return { blob, fileName: nameIn(response.headers.get("content-disposition")) ?? `${target.id}.${format}` };
}

const asExportError = (error: unknown, message: string): unknown =>
  error instanceof DOMException && error.name === "AbortError" ? error : new ExportError(message, { cause: error });

function read({ body, headers }: Response, onBytes: (bytes: number) => void = () => {}): Promise<Blob> {
  let bytes = 0;
  const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(piece, out) {
      bytes += piece.byteLength;
      onBytes(bytes);
      out.enqueue(piece);
    },
  });
  const type = headers.get("content-type") ?? "";
  return new Response(body?.pipeThrough(counter), { headers: { "content-type": type } }).blob();
}

/** What the server says; else its status. */
async function reason(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => null);
  const errors = (body as { errors?: { message?: unknown }[] } | null)?.errors;
  const message = errors?.[0]?.message;
  return typeof message === "string" ? message : `The server answered with status ${response.status}.`;
}

const nameIn = (disposition: string | null): string | undefined => /filename="([^"\\/]+)"/.exec(disposition ?? "")?.[1];

/** Hands a file to the browser's downloads. */
export function saveFile({ blob, fileName }: Exported): void {
  const address = URL.createObjectURL(blob);
  const link = Object.assign(document.createElement("a"), { href: address, download: fileName });
  link.click();
  // The browser reads the address after the click.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
