// Offers the figures of a run on the loopback of this machine, to whoever holds a token.

import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface MetricsServer {
  readonly port: number;
  close(): Promise<void>;
}

export interface MetricsOffer {
  /** 0 = any free one. */
  readonly port: number;
  readonly token: string;
  readonly type: string;
  text(): Promise<string>;
}

/** Answers `GET /metrics` with a bearer token. Throws the error of the system if the port cannot be used. */
export async function offerMetrics({ port, token, type, text }: MetricsOffer): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    const answer = (status: number, body = '', headers = {}) => response.writeHead(status, headers).end(body);
    if (!isAllowed(request, token)) return answer(401, '', { 'www-authenticate': 'Bearer' });
    if (request.url?.split('?')[0] !== '/metrics') return answer(404);
    if (request.method !== 'GET') return answer(405, '', { allow: 'GET' });
    return text().then(
      (body) => answer(200, body, { 'content-type': type }),
      () => answer(500),
    );
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  // A later error is one of the machine, such as too many open files. The run does not depend on its figures.
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

/** Compares hashes, so that neither the length nor the beginning of the token shows in the time. */
function isAllowed({ headers }: IncomingMessage, token: string): boolean {
  const hash = (value: string) => createHash('sha256').update(value).digest();
  return timingSafeEqual(hash(headers.authorization ?? ''), hash(`Bearer ${token}`));
}
