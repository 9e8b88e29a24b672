// A registry of npm with one package, on this machine.

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface Registry extends AsyncDisposable {
  readonly url: string;
  /** The paths that were requested. */
  readonly requests: readonly string[];
  /** From now on, the archive of the package never ends. */
  stall(): void;
}

/** Serves `name@version`, whose module exports `value`. */
export async function createRegistry(name: string, version: string, value: string): Promise<Registry> {
  const folder = await mkdtemp(join(tmpdir(), 'selfware-registry-'));
  const home = join(folder, 'package');
  await mkdir(home);
  const manifest = {
    name,
    version,
    type: 'module',
    exports: './index.js',
    scripts: { install: 'touch ran.txt', postinstall: 'touch ran.txt' },
  };
  await writeFile(join(home, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(home, 'index.js'), `export const value = ${JSON.stringify(value)};\n`);
  const archive = join(folder, 'package.tgz');
  await promisify(execFile)('tar', ['-czf', archive, '-C', folder, 'package']);
  const bytes = await readFile(archive);
  const requests: string[] = [];
  let stalls = false;
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '');
    requests.push(path);
    const { port } = server.address() as AddressInfo;
    if (path.endsWith('.tgz')) {
      response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': bytes.length });
      if (stalls) response.write(bytes.subarray(0, 10));
      else response.end(bytes);
      return;
    }
    if (path !== `/${name}`) return response.writeHead(404).end('{}');
    const dist = { tarball: `http://127.0.0.1:${port}/${name}/-/package-${version}.tgz` };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({ name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    requests,
    stall: () => (stalls = true),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
