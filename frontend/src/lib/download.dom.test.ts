import { describe, expect, it, vi } from "vitest";
import { ExportError, exportPath, fetchExport } from "./download";
import { saveToken } from "./token";

const target = { profile: "my work", id: "a/b" };

function answer(body: BodyInit | null, init: ResponseInit = {}) {
  const fetched = vi.fn<typeof fetch>(async () => new Response(body, init));
  vi.stubGlobal("fetch", fetched);
  return fetched;
}

describe("an export", () => {
  it("is asked for with the token, at the address of its format and scope", async () => {
    saveToken("secret");
    const fetched = answer("text");
    await fetchExport({ ...target, scope: "session" }, "jsonl");
    const [address, init] = fetched.mock.calls[0] ?? [];
    expect(address).toBe("/export/my%20work/a%2Fb.jsonl?scope=session");
    expect(init?.headers).toEqual({ authorization: "Bearer secret" });
    expect(exportPath(target, "md")).toBe("/export/my%20work/a%2Fb.md");
  });

  it("comes with the bytes and the name that the server gives, counted on the way", async () => {
    const bytes = new TextEncoder().encode("päckchen");
    const counts: number[] = [];
    answer(bytes, { headers: { "content-disposition": 'attachment; filename="a.md"', "content-type": "text/markdown" } });
    const { blob, fileName } = await fetchExport(target, "md", { onBytes: (come) => counts.push(come) });
    expect([fileName, blob.size, blob.type, counts.at(-1)]).toEqual(["a.md", 9, "text/markdown", 9]);
    expect([...new Uint8Array(await blob.arrayBuffer())]).toEqual([...bytes]);
  });

  it("says why there is none, in the server's words", async () => {
    answer(JSON.stringify({ errors: [{ message: "No session has this id." }] }), { status: 404 });
    await expect(fetchExport(target, "json")).rejects.toThrow(new ExportError("No session has this id."));
    answer("<h1>Bad gateway</h1>", { status: 502 });
    await expect(fetchExport(target, "json")).rejects.toThrow("The server answered with status 502.");
  });

  it("says that the server does not answer, or broke off", async () => {
    vi.stubGlobal("fetch", async () => Promise.reject(new TypeError("Failed to fetch")));
    await expect(fetchExport(target, "json")).rejects.toThrow("The server does not answer.");
    const broken = new ReadableStream({ start: (stream) => stream.error(new TypeError("network error")) });
    answer(broken);
    await expect(fetchExport(target, "json")).rejects.toThrow("The export broke off before its end.");
  });

  it("is cancelled without complaint", async () => {
    vi.stubGlobal("fetch", async () => Promise.reject(new DOMException("aborted", "AbortError")));
    await expect(fetchExport(target, "json")).rejects.toThrow(DOMException);
  });
});
