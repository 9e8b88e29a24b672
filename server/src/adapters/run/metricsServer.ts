// Offers the figures of a run, and other answers, on the loopback of this machine, to anybody who has a token.

import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that listens. */
export interface MetricsServer {
  readonly port: number;
  close(): Promise<void>;
}

/** The answer to a request. */
export interface Reply {
  readonly status: number;
  readonly type?: string;
  readonly body?: string;
}

/** The functions that answer requests, by path and then by method. */
export type Routes = Readonly<Record<string, Readonly<Record<string, () => Promise<Reply>>>>>;

/** The port and the token of a server. */
export interface LoopbackOffer {
  /** 0 for any free port. */
  readonly port: number;
  readonly token: string;
}

/** The figures that are offered. `type`: their media type; `text`: returns them. */
export interface MetricsOffer extends LoopbackOffer {
  readonly type: string;
  text(): Promise<string>;
}

/**
 * Starts a server that answers `GET /metrics` with a bearer token. Throws the error of the system if the port cannot be
 * used.
 */
export function offerMetrics({ port, token, type, text }: MetricsOffer): Promise<MetricsServer> {
  const metrics = async () => ({ status: 200, type, body: await text() });
  return offerRoutes({ port, token }, { '/metrics': { GET: metrics } });
}

/**
 * Starts a server on the loopback that answers requests with a bearer token. Throws the error of the system if the port
 * cannot be used.
 */
export async function offerRoutes({ port, token }: LoopbackOffer, routes: Routes): Promise<MetricsServer> {
  // Loaded when it is used, because an import of all its names also loads undici, which takes a fifth of the start of a
  // command.
  const { createServer } = await import('node:http');
  const server = createServer((request, response) => {
    const answer = ({ status, type, body = '' }: Reply, headers = {}) =>
      response.writeHead(status, type === undefined ? headers : { ...headers, 'content-type': type }).end(body);
    if (!isAllowed(request, token)) return answer({ status: 401 }, { 'www-authenticate': 'Bearer' });
    const path = request.url?.split('?')[0] ?? '';
    const methods = Object.hasOwn(routes, path) ? routes[path]! : null;
    if (methods === null) return answer({ status: 404 });
    const { method = '' } = request;
    if (!Object.hasOwn(methods, method)) return answer({ status: 405 }, { allow: Object.keys(methods).join(', ') });
    return methods[method]!().then(answer, () => answer({ status: 500 }));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  // A later error is a problem of the machine, such as too many open files. The run does not depend on its figures.
  server.on('error', () => undefined);
  // The server does not keep a process alive whose run has ended.
  server.unref();
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * True if the request has the token. Compares hashes, so that the duration reveals neither the length nor the beginning
 * of the token.
 */
function isAllowed({ headers }: IncomingMessage, token: string): boolean {
  const hash = (value: string) => createHash('sha256').update(value).digest();
  return timingSafeEqual(hash(headers.authorization ?? ''), hash(`Bearer ${token}`));
}
