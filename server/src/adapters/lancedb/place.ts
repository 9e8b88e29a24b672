// Where a chunk store lies and how it is reached: a folder here, a bucket, or a LanceDB server. Credentials are taken
// from the environment by the library itself; nothing here keeps or writes them.

import { mkdir } from 'node:fs/promises';
import type { ConnectionOptions } from '@lancedb/lancedb';
import { SelfwareError } from '../../util/typedError.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * `folder`: this machine alone. `bucket`: object storage, shared. `server`: LanceDB's own service, shared; it looks
 * after its tables itself.
 */
export type PlaceKind = 'folder' | 'bucket' | 'server';

/** Seconds. A store that does not answer is told soon: the local one serves then. */
const CONNECT_SECONDS = 5;
const REQUEST_SECONDS = 30;
const RETRIES = 3;
const RETRY_SECONDS = 15;
const secrets = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'LANCEDB_API_KEY'];

export function kindOf(place: string): PlaceKind {
  if (/^s3:\/\//.test(place)) return 'bucket';
  return /^db:\/\//.test(place) ? 'server' : 'folder';
}

/**
 * The address of one repository's index in a store that may hold many. Throws `usage` for an address that cannot be
 * one, or that carries a secret.
 */
export function sharedPlace(uri: string, repository: string): string {
  const match = /^(?:s3:\/\/[a-z0-9][a-z0-9.-]+(?:\/[^?#\s]*)?|db:\/\/[A-Za-z0-9_-]+)$/.exec(uri);
  if (!match || uri.includes('@'))
    throw new SelfwareError('usage', 'index.store is not an address of the form s3://bucket/prefix or db://name.', {
      action:
        'Correct the setting. Credentials belong into the environment (AWS_…, LANCEDB_API_KEY), not into the address.',
    });
  // A server's database has no folders: there the table's name tells repositories apart.
  return kindOf(uri) === 'server' ? uri : `${uri.replace(/(?<!\/)\/+$/, '')}/${repository}`;
}

/** Options for `connect`. Makes a folder. */
export async function connectionOptions(place: string, env: Environment): Promise<Partial<ConnectionOptions>> {
  const kind = kindOf(place);
  if (kind === 'folder') await mkdir(place, { recursive: true, mode: 0o700 });
  if (kind === 'bucket') return { storageOptions: bucketOptions(env) };
  if (kind === 'server') return serverOptions(env);
  return {};
}

/** Access key, secret and token are read from the standard variables (or the machine's role) by the library. */
export function bucketOptions(env: Environment): Record<string, string> {
  const endpoint = env['AWS_ENDPOINT_URL_S3'] || env['AWS_ENDPOINT_URL'] || env['AWS_ENDPOINT'];
  const region = env['AWS_REGION'] || env['AWS_DEFAULT_REGION'];
  return {
    connect_timeout: `${CONNECT_SECONDS} seconds`,
    timeout: `${REQUEST_SECONDS} seconds`,
    client_max_retries: String(RETRIES),
    client_retry_timeout: String(RETRY_SECONDS),
    ...(endpoint ? { endpoint, allow_http: String(endpoint.startsWith('http://')) } : {}),
    // A server of one's own has no regions, but a signature needs one.
    ...(region || endpoint ? { region: region || 'us-east-1' } : {}),
  };
}

export function serverOptions(env: Environment): Partial<ConnectionOptions> {
  if (!env['LANCEDB_API_KEY'])
    throw new SelfwareError('unavailable', 'A db:// store needs an API key.', {
      action: 'Set LANCEDB_API_KEY in the environment.',
    });
  const host = env['LANCEDB_HOST_OVERRIDE'];
  return {
    region: env['LANCEDB_REGION'] || 'us-east-1',
    ...(host ? { hostOverride: host } : {}),
    clientConfig: {
      timeoutConfig: { connectTimeout: CONNECT_SECONDS, readTimeout: REQUEST_SECONDS },
      retryConfig: { retries: RETRIES },
    },
  };
}

/** The text without the values of the secrets above: servers like to repeat a key in what they answer. */
export function withoutSecrets(text: string, env: Environment): string {
  return secrets.reduce((rest, name) => (env[name] ? rest.replaceAll(env[name], '…') : rest), text);
}
