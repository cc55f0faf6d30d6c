/** Writes `.gz` and `.br` beside every text file of a build, so that the server never compresses. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Plugin } from "vite";

const TEXT = new Set([".css", ".html", ".js", ".json", ".mjs", ".svg", ".ttf", ".txt", ".wasm"]);
const ONE_MEGABYTE = 1024 * 1024;
const deflate = promisify(gzip);
const brotli = promisify(brotliCompress);

async function compressFile(path: string): Promise<void> {
  const bytes = await readFile(path);
  // Quality 11 takes minutes on the largest bundles and gains a few percent.
  const quality = bytes.length > ONE_MEGABYTE ? 9 : 11;
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: quality } };
  await Promise.all([
    deflate(bytes, { level: 9 }).then((data) => writeFile(`${path}.gz`, data)),
    brotli(bytes, options).then((data) => writeFile(`${path}.br`, data)),
  ]);
}

export function precompress(): Plugin {
  let folder = "";
  return {
    name: "precompress",
    apply: "build",
    configResolved: (config) => {
      folder = config.build.outDir;
    },
    closeBundle: async () => {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile() && TEXT.has(extname(entry.name)));
      await Promise.all(files.map((file) => compressFile(join(file.parentPath, file.name))));
    },
  };
}
