// Provides the only network access of an installation or a coding agent: a proxy on a socket in its temporary folder,
// which connects only to named hosts. The commands have no network of their own, so they cannot reach the machine's
// loopback or its abstract sockets; the sandbox-exec of macOS is the exception and lets them reach the loopback. Their
// requests reach this process as `CONNECT host:443`.

import { lookup } from 'node:dns/promises';
import { open, type FileHandle } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { BlockList, connect, isIP, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';

/** Name of the socket in the folder of the gate. */
export const SOCKET_NAME = 'selfware-network';
/** Maximum time in milliseconds that a host may take to accept a connection. */
const MAX_CONNECT_MS = 30_000;
/** Maximum number of characters in the path of a socket, with a margin (unix(7) allows 108 bytes). */
const MAX_PATH_LENGTH = 100;

/** Addresses to which a name must never lead: this machine, and the addresses at which clouds provide credentials. */
const FORBIDDEN_ADDRESSES = new BlockList();
for (const [net, prefixLength, family] of [
  ['127.0.0.0', 8, 'ipv4'],
  ['0.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['::1', 128, 'ipv6'],
  ['::', 128, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
] as const)
  FORBIDDEN_ADDRESSES.addSubnet(net, prefixLength, family);
/** Private networks of an office or a home. A company's packages may be there, but agents may not connect to them. */
const PRIVATE_NETWORKS = new BlockList();
for (const [net, prefixLength, family] of [
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['64:ff9b::', 96, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
] as const)
  PRIVATE_NETWORKS.addSubnet(net, prefixLength, family);

/** The name or address of a host. Other requests are refused without being reported. */
const HOST_PATTERN = /^[\w.:-]{1,253}$/;
/** Maximum number of refused hosts that are remembered, so that a command cannot fill our memory. */
const MAX_REMEMBERED_REFUSALS = 100;

/** An open gate; disposing of it closes the gate. */
export interface NetworkGate extends AsyncDisposable {
  /** Requested hosts that were refused, without duplicates. */
  readonly refused: readonly string[];
  /** Bytes that were transferred so far, in each direction. */
  readonly bytes: { readonly sent: number; readonly received: number };
}

/** Options of a gate. */
export interface GateOptions {
  /** The proxy of this machine, as `http://host:port`; null if there is none. */
  readonly upstream?: string | null;
  /** True if private networks are also refused. */
  readonly refusesPrivate?: boolean;
  /** Limit of bytes in both directions together, after which every connection ends. If omitted, there is no limit. */
  readonly maxBytes?: number;
  /** A further limit: returns true if these transferred bytes exceed it. */
  readonly isExceeded?: (bytes: NetworkGate['bytes']) => boolean;
  /** Called when a limit is exceeded, at least once. */
  readonly onExceeded?: () => void;
  /** Resolves a host to its address. If omitted, the system resolves it. */
  readonly resolve?: (host: string) => Promise<{ readonly address: string; readonly family: number }>;
  /** Connects to port 443 of an address. If omitted, the system connects. */
  readonly connectTo?: (address: string) => Promise<Socket>;
}

/** Opens the socket `SOCKET_NAME` in `folder`. Only port 443 of `hosts` is reachable; refused hosts are remembered. */
export async function openNetworkGate(
  folder: string,
  hosts: readonly string[],
  options: GateOptions = {},
): Promise<NetworkGate> {
  const { maxBytes = Infinity, isExceeded, onExceeded } = options;
  const allowedHosts = new Set(hosts.map((host) => host.toLowerCase()));
  const refused = new Set<string>();
  const sockets = new Set<Duplex>();
  const bytes = { sent: 0, received: 0 };
  const isOver = () => bytes.sent + bytes.received > maxBytes || isExceeded?.(bytes) === true;
  const countBytes = (direction: keyof typeof bytes, source: Duplex) =>
    source.on('data', (chunk: Buffer) => {
      bytes[direction] += chunk.byteLength;
      if (!isOver()) return;
      for (const socket of sockets) socket.destroy();
      onExceeded?.();
    });
  // Loaded when it is needed, because it includes a web client, which takes a sixth of the time of a short command.
  const { createServer } = await import('node:http');
  const server = createServer((_, answer) => answer.writeHead(403).end('Only https is let through.\n'));
  server.on('connect', (request: IncomingMessage, client: Duplex) => {
    sockets.add(client);
    client.once('close', () => sockets.delete(client));
    client.on('error', () => client.destroy());
    const [, host = '', port = ''] = /^\[?([^\]]+?)\]?:(\d+)$/.exec(request.url ?? '') ?? [];
    if (!allowedHosts.has(host.toLowerCase()) || port !== '443') {
      if (HOST_PATTERN.test(host) && refused.size < MAX_REMEMBERED_REFUSALS)
        refused.add(port === '443' ? host : `${host}:${port}`);
      client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      return;
    }
    void connectTo(host, options).then(
      (remote) => {
        // The client may have disconnected, or the gate may have closed, in the meantime.
        if (client.destroyed || isOver()) {
          remote.destroy();
          client.destroy();
          return;
        }
        sockets.add(remote);
        countBytes('received', remote);
        countBytes('sent', client);
        remote.once('close', () => (sockets.delete(remote), client.destroy()));
        client.once('close', () => remote.destroy());
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        remote.pipe(client);
        client.pipe(remote);
      },
      () => client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'),
    );
  });
  const folderHandle = await listenInFolder(folder, SOCKET_NAME, server);
  return {
    get refused() {
      return [...refused].sort();
    },
    bytes,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await folderHandle?.close();
    },
  };
}

/**
 * Connects to port 443 of a host. Rejects if its name leads to this machine or, if so configured, to a private network.
 * This is not known if a proxy resolves the name; then only addresses in place of names are refused.
 */
async function connectTo(host: string, { upstream = null, ...options }: GateOptions): Promise<Socket> {
  if (upstream !== null) return connectThroughProxy(new URL(upstream), host);
  const { address, family } = await (options.resolve ?? lookup)(host);
  const kind = family === 6 ? 'ipv6' : 'ipv4';
  if (FORBIDDEN_ADDRESSES.check(address, kind)) throw new Error(`${host} leads to this machine.`);
  if (options.refusesPrivate && PRIVATE_NETWORKS.check(address, kind))
    throw new Error(`${host} leads to a private network.`);
  return (options.connectTo ?? ((path: string) => openSocket(path, 443)))(address);
}

/**
 * Connects to port 443 of a host through the proxy of this machine. Rejects for an address in place of a name, because
 * it may lead to a private network.
 */
async function connectThroughProxy(proxy: URL, host: string): Promise<Socket> {
  if (isIP(host) !== 0) throw new Error('An address in place of a name.');
  const socket = await openSocket(proxy.hostname, Number(proxy.port || 80));
  const user =
    proxy.username === '' ? '' : `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  const secret = user === '' ? '' : `Proxy-Authorization: Basic ${Buffer.from(user).toString('base64')}\r\n`;
  socket.write(`CONNECT ${host}:443 HTTP/1.1\r\nHost: ${host}:443\r\n${secret}\r\n`);
  return new Promise((resolve, reject) => {
    let head = '';
    const onData = (bytes: Buffer): void => {
      head += bytes.toString('latin1');
      if (!head.includes('\r\n\r\n') && head.length < 10_000) return;
      socket.off('data', onData);
      socket.pause();
      if (/^HTTP\/1\.[01] 200/.test(head)) resolve(socket);
      else reject(new Error('The proxy of this machine refuses.'));
    };
    socket.on('data', onData).once('error', reject);
  });
}

function openSocket(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, timeout: MAX_CONNECT_MS });
    socket.once('connect', () => {
      socket.setTimeout(0);
      resolve(socket);
    });
    socket.once('error', reject).once('timeout', () => socket.destroy(new Error('No answer.')));
    socket.on('error', () => socket.destroy());
  });
}

/**
 * Lets `server` listen on the socket `name` in `folder`. If the socket's path would be too long, opens the folder, uses
 * the path of its handle, and returns the handle; otherwise returns null.
 */
export async function listenInFolder(folder: string, name: string, server: Server): Promise<FileHandle | null> {
  const listen = (path: string) =>
    new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve));
  const path = join(folder, name);
  if (path.length <= MAX_PATH_LENGTH || process.platform !== 'linux') return listen(path).then(() => null);
  const folderHandle = await open(folder);
  await listen(`/proc/self/fd/${folderHandle.fd}/${name}`);
  return folderHandle;
}
