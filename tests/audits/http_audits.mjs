// Runs every audit of graphql-http against a server and writes what each said, as JSON. Its arguments: the address of
// GraphQL, and the folder of the packages.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [url, packages] = process.argv.slice(2);
const found = createRequire(join(packages, 'audits.cjs')).resolve('graphql-http');
const { serverAudits } = await import(pathToFileURL(found));

// The audits know nothing of tokens. It comes by the environment: anybody may read the arguments of a process.
function fetchFn(address, init = {}) {
  const headers = { ...init.headers, authorization: `Bearer ${process.env.HERMES_SESSIONS_TOKEN}` };
  return fetch(address, { ...init, headers });
}

const results = [];
for (const { id, name, fn } of serverAudits({ url, fetchFn })) {
  const { status, reason = null } = await fn();
  results.push({ id, name, status, reason });
}
process.stdout.write(JSON.stringify(results));
