// An npm registry on the loopback interface, behind a proxy such as companies use. It serves packages that a test
// defines, and advisories about them. Commands reach it as https://packages.example through HTTPS_PROXY.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';

/** The host name of the registry. */
export const REGISTRY_HOST = 'packages.example';
/** The access token of the registry. Only the registry may receive it. */
export const REGISTRY_TOKEN = 'npm_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789';
/** The text of the `.npmrc` of a repository whose packages come from this registry. */
export const NPMRC = `registry=https://${REGISTRY_HOST}/\nstrict-ssl=false\n//${REGISTRY_HOST}/:_authToken=${REGISTRY_TOKEN}\n`;

/** A version of a package: the code of its only module, and further fields of its package.json. */
export interface PublishedVersion {
  readonly code: string;
  readonly manifest?: Readonly<Record<string, unknown>>;
}

/** The registry. A test adds packages and advisories to the objects. */
export interface NpmRegistry {
  /** Environment variables of a process that uses the registry. */
  readonly env: Record<string, string>;
  /** Method and path of all requests so far, connections to the proxy included. */
  readonly requests: readonly string[];
  /** The uncompressed bodies of requests; requests without a body are left out. */
  readonly bodies: readonly string[];
  /** The values of the header `Authorization` in requests. */
  readonly tokens: ReadonlySet<string>;
  /** Packages by name, and their versions; the last one is the latest. */
  readonly packages: Record<string, Record<string, PublishedVersion>>;
  /** Advisories by the name of the package. */
  readonly advisories: Record<string, readonly { readonly vulnerable_versions: string; readonly title: string }[]>;
  /** Names of packages that are refused with status 401. */
  readonly refusedNames: Set<string>;
  /** True to make the proxy refuse all connections. */
  isOffline: boolean;
  close(): Promise<void>;
}

/** Starts the registry and its proxy. */
export async function startNpmRegistry(): Promise<NpmRegistry> {
  const requests: string[] = [];
  const bodies: string[] = [];
  const tokens = new Set<string>();
  const sockets = new Set<Duplex>();
  const server = createSecureServer(createCertificate(), (request, answer) => {
    requests.push(`${request.method} ${request.url}`);
    tokens.add(request.headers.authorization ?? '');
    void readBody(request).then((body) => {
      if (body.length > 0) bodies.push(body.toString());
      const [status, content] = createResponse(decodeURIComponent(request.url ?? ''), body);
      answer.writeHead(status, { 'content-type': 'application/json' }).end(content);
    });
  });
  const proxy = createServer((_, answer) => answer.writeHead(403).end());
  proxy.on('connect', (request: IncomingMessage, client: Duplex) => {
    requests.push(`CONNECT ${request.url}`);
    if (registry.isOffline || request.url !== `${REGISTRY_HOST}:443`)
      return client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    const upstream = connect((server.address() as AddressInfo).port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      client.pipe(upstream).pipe(client);
    });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
    }
  });
  for (const startedServer of [server, proxy])
    await new Promise<void>((resolve) => startedServer.listen(0, '127.0.0.1', resolve));
  const registry: NpmRegistry = {
    env: { HTTPS_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` },
    requests,
    bodies,
    tokens,
    packages: {},
    advisories: {},
    refusedNames: new Set(),
    isOffline: false,
    async close() {
      for (const socket of sockets) socket.destroy();
      for (const startedServer of [server, proxy]) {
        startedServer.closeAllConnections();
        await new Promise((resolve) => startedServer.close(resolve));
      }
    },
  };
  return registry;

  function createResponse(path: string, body: Buffer): readonly [number, string | Buffer] {
    if (path.startsWith('/-/npm/v1/security/advisories/bulk')) return [200, createAdvisories(body)];
    if (path.startsWith('/-/npm/v1/security/audits/quick')) return [400, '{}'];
    const [, name = '', , version = ''] = /^\/((?:@[^/]+\/)?[^/]+)(\/-\/(.+)\.tgz)?$/.exec(path) ?? [];
    const versions = registry.packages[name];
    if (registry.refusedNames.has(name)) return [401, '{"error": "unauthorised"}'];
    if (versions === undefined) return [404, '{"error": "not found"}'];
    const published = versions[version];
    if (published) return [200, packTarball(name, version, published)];
    return [200, JSON.stringify(describePackage(name, versions))];
  }

  function createAdvisories(body: Buffer): string {
    const wantedNames = Object.keys(JSON.parse(body.toString()) as object);
    const advisories = wantedNames.flatMap((name, index) => {
      const list = registry.advisories[name];
      const url = `https://advisories.example/${name}`;
      const complete = list?.map((advisory) => ({ id: index + 1, url, severity: 'high', cwe: [], ...advisory }));
      return complete ? [[name, complete] as const] : [];
    });
    return JSON.stringify(Object.fromEntries(advisories));
  }
}

/** The metadata of a package with all versions; the last one is the latest. */
function describePackage(name: string, versions: Readonly<Record<string, PublishedVersion>>): object {
  const described = Object.entries(versions).map(([version, published]) => {
    const tarball = packTarball(name, version, published);
    const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
    const dist = { tarball: `https://${REGISTRY_HOST}/${name}/-/${version}.tgz`, integrity };
    return [version, { name, version, ...published.manifest, dist }] as const;
  });
  return { name, 'dist-tags': { latest: described.at(-1)![0] }, versions: Object.fromEntries(described) };
}

/** The package as a compressed tar archive (ustar). */
function packTarball(name: string, version: string, { code, manifest }: PublishedVersion): Buffer {
  const files = {
    'package/package.json': JSON.stringify({ name, version, type: 'module', main: 'index.js', ...manifest }),
    'package/index.js': code,
  };
  const blocks = Object.entries(files).flatMap(([path, text]) => {
    const content = Buffer.from(text);
    const header = Buffer.alloc(512);
    const formatOctal = (value: number, length: number) => value.toString(8).padStart(length - 1, '0');
    header.write(path, 0);
    header.write(formatOctal(0o644, 8), 100);
    header.write(formatOctal(content.length, 12), 124);
    header.write(formatOctal(0, 12), 136);
    header.write('        0', 148);
    header.write('ustar\u000000', 257);
    header.write(
      formatOctal(
        header.reduce((sum, byte) => sum + byte, 0),
        7,
      ),
      148,
    );
    header.write('\u0000 ', 154);
    return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const body = Buffer.concat(parts);
  return request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
}

/** Creates a self-signed certificate by openssl. */
function createCertificate(): { readonly key: Buffer; readonly cert: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const names = ['-subj', `/CN=${REGISTRY_HOST}`, '-keyout', key, '-out', cert];
  execFileSync('openssl', ['req', '-x509', ...kind, ...names], { stdio: 'ignore' });
  return { key: readFileSync(key), cert: readFileSync(cert) };
}
