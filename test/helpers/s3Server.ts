// A small S3-compatible server in memory, for tests of shared indexes. It supports only the operations that LanceDB's
// object store uses, with the guarantees of S3: strong consistency, conditional puts, ranges, listings in pages, and
// multipart uploads. It checks the access key of a request, but not the signature. There are no versions of objects, no
// access lists and no regions.

import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A stored object. */
interface Stored {
  readonly bytes: Buffer;
  readonly etag: string;
  readonly at: Date;
}

/** The server. */
export interface S3Server {
  readonly url: string;
  readonly accessKey: string;
  /** Environment variables for a client of this server. */
  readonly env: Readonly<Record<string, string>>;
  /** Keys of a bucket, sorted. */
  keys(bucket: string): readonly string[];
  /** Bytes of all objects of a bucket. */
  size(bucket: string): number;
  /** Requests so far, as `METHOD /bucket/key?query`. */
  readonly requests: readonly string[];
  /** Number of conditional puts that were refused because another client was first. */
  readonly refusedPuts: () => number;
  /** Answers every further request with this status; null answers normally again. */
  fail(status: number | null): void;
  close(): Promise<void>;
}

const ACCESS_KEY = 'TESTACCESSKEY';
const MAX_KEYS_PER_PAGE = 1_000;

/**
 * Starts the server on the loopback interface. `conditionalPuts`: `ignored` to ignore `If-None-Match`, as some
 * S3-compatible servers do, so that the later put wins.
 */
export async function startS3Server({
  conditionalPuts = 'honoured',
}: {
  readonly conditionalPuts?: 'honoured' | 'ignored';
} = {}): Promise<S3Server> {
  const objects = new Map<string, Stored>();
  const uploads = new Map<string, Map<number, Buffer>>();
  const requests: string[] = [];
  let refusedPuts = 0;
  let failureStatus: number | null = null;

  const put = (key: string, bytes: Buffer, headers: IncomingMessage['headers'], response: ServerResponse): void => {
    const existingObject = objects.get(key);
    const wantedTag = headers['if-match'];
    const isRefused =
      (headers['if-none-match'] === '*' && existingObject) || (wantedTag && existingObject?.etag !== wantedTag);
    if (isRefused && conditionalPuts === 'honoured') {
      refusedPuts += 1;
      return sendProblem(response, 412, 'PreconditionFailed');
    }
    const etag = `"${createHash('md5').update(bytes).digest('hex')}"`;
    objects.set(key, { bytes, etag, at: new Date() });
    response.writeHead(200, { etag }).end();
  };

  const handlers: Readonly<
    Record<
      string,
      (key: string, query: URLSearchParams, request: IncomingMessage, body: Buffer, response: ServerResponse) => void
    >
  > = {
    PUT(key, query, { headers }, body, response) {
      const upload = query.get('uploadId');
      if (upload !== null) {
        const parts = uploads.get(upload);
        if (!parts) return sendProblem(response, 404, 'NoSuchUpload');
        parts.set(Number(query.get('partNumber')), body);
        response.writeHead(200, { etag: `"${createHash('md5').update(body).digest('hex')}"` }).end();
        return;
      }
      const source = headers['x-amz-copy-source'];
      if (typeof source !== 'string') return put(key, body, headers, response);
      const original = objects.get(decodeURIComponent(source.replace(/^\//, '')));
      if (!original) return sendProblem(response, 404, 'NoSuchKey');
      objects.set(key, original);
      sendXml(response, `<CopyObjectResult><ETag>${original.etag}</ETag></CopyObjectResult>`);
    },
    POST(key, query, { headers }, body, response) {
      if (query.has('delete')) {
        const bucket = key.split('/')[0]!;
        const names = [...body.toString().matchAll(/<Key>(.*?)<\/Key>/g)].map(([, name]) => unescapeXml(name!));
        for (const name of names) objects.delete(`${bucket}/${name}`);
        return sendXml(
          response,
          `<DeleteResult>${names.map((name) => `<Deleted><Key>${escapeXml(name)}</Key></Deleted>`).join('')}</DeleteResult>`,
        );
      }
      if (query.has('uploads')) {
        const id = randomUUID();
        uploads.set(id, new Map());
        return sendXml(
          response,
          `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
        );
      }
      const parts = uploads.get(query.get('uploadId') ?? '');
      if (!parts) return sendProblem(response, 404, 'NoSuchUpload');
      uploads.delete(query.get('uploadId')!);
      const bytes = Buffer.concat([...parts].sort(([a], [b]) => a - b).map(([, part]) => part));
      if (headers['if-none-match'] === '*' && objects.has(key)) return sendProblem(response, 412, 'PreconditionFailed');
      const etag = `"${createHash('md5').update(bytes).digest('hex')}-${parts.size}"`;
      objects.set(key, { bytes, etag, at: new Date() });
      sendXml(response, `<CompleteMultipartUploadResult><ETag>${etag}</ETag></CompleteMultipartUploadResult>`);
    },
    GET(key, query, { headers }, _body, response) {
      if (query.has('list-type')) return sendXml(response, formatListing(objects, key.split('/')[0]!, query));
      const object = objects.get(key);
      if (!object) return sendProblem(response, 404, 'NoSuchKey');
      const range = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '');
      const total = object.bytes.length;
      const from = !range ? 0 : range[1] === '' ? Math.max(0, total - Number(range[2])) : Number(range[1]);
      const to = !range || range[1] === '' || range[2] === '' ? total : Math.min(total, Number(range[2]) + 1);
      if (range && from >= total) return sendProblem(response, 416, 'InvalidRange');
      const partial: Record<string, string> = range ? { 'content-range': `bytes ${from}-${to - 1}/${total}` } : {};
      response
        .writeHead(range ? 206 : 200, {
          ...partial,
          'content-length': to - from,
          etag: object.etag,
          'last-modified': object.at.toUTCString(),
        })
        .end(object.bytes.subarray(from, to));
    },
    HEAD(key, _query, _request, _body, response) {
      const object = objects.get(key);
      if (!object) return void response.writeHead(404).end();
      response
        .writeHead(200, {
          'content-length': object.bytes.length,
          etag: object.etag,
          'last-modified': object.at.toUTCString(),
        })
        .end();
    },
    DELETE(key, query, _request, _body, response) {
      if (query.has('uploadId')) uploads.delete(query.get('uploadId')!);
      else objects.delete(key);
      response.writeHead(204).end();
    },
  };

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://localhost');
    const body = await buffer(request);
    requests.push(`${request.method} ${request.url}`);
    const key = decodeURIComponent(pathname.slice(1));
    if (failureStatus !== null) return sendProblem(response, failureStatus, 'Failing');
    if (!request.headers.authorization?.includes(`Credential=${ACCESS_KEY}/`))
      return sendProblem(response, 403, 'InvalidAccessKeyId', String(request.headers.authorization));
    const handler = handlers[request.method!];
    if (handler) handler(key, searchParams, request, body, response);
    else sendProblem(response, 405, 'MethodNotAllowed');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const listObjects = (bucket: string) => [...objects].filter(([key]) => key.startsWith(`${bucket}/`));
  return {
    url,
    accessKey: ACCESS_KEY,
    env: {
      AWS_ENDPOINT_URL: url,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: ACCESS_KEY,
      AWS_SECRET_ACCESS_KEY: 'TESTSECRETKEY',
    },
    keys: (bucket) =>
      listObjects(bucket)
        .map(([key]) => key.slice(bucket.length + 1))
        .sort(),
    size: (bucket) => listObjects(bucket).reduce((sum, [, { bytes }]) => sum + bytes.length, 0),
    requests,
    refusedPuts: () => refusedPuts,
    fail: (status) => (failureStatus = status),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The answer to ListObjectsV2: one page of the keys after the token or the start, grouped at the delimiter. */
function formatListing(objects: ReadonlyMap<string, Stored>, bucket: string, query: URLSearchParams): string {
  const prefix = query.get('prefix') ?? '';
  const delimiter = query.get('delimiter') ?? '';
  const after = query.get('continuation-token') ?? query.get('start-after') ?? '';
  const limit = Math.min(MAX_KEYS_PER_PAGE, Number(query.get('max-keys') ?? MAX_KEYS_PER_PAGE));
  const folders = new Set<string>();
  const contents: string[] = [];
  let last = '';
  let hasMore = false;
  const keys = [...objects.keys()]
    .filter((key) => key.startsWith(`${bucket}/${prefix}`))
    .map((key) => key.slice(bucket.length + 1))
    .sort();
  for (const key of keys) {
    const end = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
    const entry = end < 0 ? key : key.slice(0, end + delimiter.length);
    if (entry <= after || folders.has(entry)) continue;
    if (contents.length + folders.size >= limit) {
      hasMore = true;
      break;
    }
    last = entry;
    if (end >= 0) folders.add(entry);
    else {
      const { bytes, etag, at: storedAt } = objects.get(`${bucket}/${key}`)!;
      contents.push(
        `<Contents><Key>${escapeXml(key)}</Key><LastModified>${storedAt.toISOString()}</LastModified><ETag>${escapeXml(etag)}</ETag><Size>${bytes.length}</Size><StorageClass>STANDARD</StorageClass></Contents>`,
      );
    }
  }
  const token = hasMore ? `<NextContinuationToken>${escapeXml(last)}</NextContinuationToken>` : '';
  const prefixElements = [...folders]
    .map((folder) => `<CommonPrefixes><Prefix>${escapeXml(folder)}</Prefix></CommonPrefixes>`)
    .join('');
  return `<ListBucketResult><Name>${bucket}</Name><Prefix>${escapeXml(prefix)}</Prefix><KeyCount>${contents.length + folders.size}</KeyCount><MaxKeys>${limit}</MaxKeys><IsTruncated>${hasMore}</IsTruncated>${token}${contents.join('')}${prefixElements}</ListBucketResult>`;
}

function sendXml(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': 'application/xml' }).end(`<?xml version="1.0" encoding="UTF-8"?>\n${body}`);
}

function sendProblem(response: ServerResponse, status: number, code: string, detail = ''): void {
  response
    .writeHead(status, { 'content-type': 'application/xml' })
    .end(
      `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${escapeXml(detail || code)}</Message></Error>`,
    );
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function unescapeXml(text: string): string {
  return text
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}
