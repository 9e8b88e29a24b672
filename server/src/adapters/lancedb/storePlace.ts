// Decides where a chunk store is and how it is reached: a local folder, a bucket, or a LanceDB server. The library
// itself reads credentials from the environment; this module neither stores nor writes them.

import { mkdir } from 'node:fs/promises';
import type { ConnectionOptions } from '@lancedb/lancedb';
import { SelfwareError } from '../../util/typedError.ts';
import type { Environment } from '../../util/values/environment.ts';

/**
 * `folder`: on this machine, not shared. `bucket`: shared object storage. `server`: LanceDB's own service, which is
 * shared and maintains its tables itself.
 */
export type PlaceKind = 'folder' | 'bucket' | 'server';

/**
 * Maximum time in seconds for connecting to a shared place. This and the other limits of a request are low, because the
 * local store takes over if a shared one does not answer.
 */
const CONNECT_SECONDS = 5;
/** Maximum time in seconds for one request. */
const REQUEST_SECONDS = 30;
/** Maximum number of repetitions of a request. */
const MAX_RETRIES = 3;
/** Time in seconds after which a request is no longer repeated. */
const RETRY_SECONDS = 15;
/** Environment variables with secrets. */
const SECRET_VARIABLES = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'LANCEDB_API_KEY'];

/** Returns the kind of a place, which the form of its address shows. */
export function classifyPlace(location: string): PlaceKind {
  if (/^s3:\/\//.test(location)) return 'bucket';
  return /^db:\/\//.test(location) ? 'server' : 'folder';
}

/**
 * The address of one repository's index in a store that many repositories may share. Throws `usage` if `uri` is not a
 * valid address, or could carry a secret.
 */
export function resolveRepositoryUri(uri: string, repository: string): string {
  const match = /^(?:s3:\/\/[a-z0-9][a-z0-9.-]+(?:\/[^?#\s]*)?|db:\/\/[A-Za-z0-9_-]+)$/.exec(uri);
  if (!match || uri.includes('@'))
    throw new SelfwareError('usage', 'index.store is not an address of the form s3://bucket/prefix or db://name.', {
      action:
        'Correct the setting. Credentials belong into the environment (AWS_…, LANCEDB_API_KEY), not into the address.',
    });
  // The database of a server has no folders; the names of its tables distinguish repositories.
  return classifyPlace(uri) === 'server' ? uri : `${uri.replace(/(?<!\/)\/+$/, '')}/${repository}`;
}

/** Options for LanceDB's `connect`. Creates the folder if the place is one. */
export async function prepareConnectionOptions(
  location: string,
  env: Environment,
): Promise<Partial<ConnectionOptions>> {
  const kind = classifyPlace(location);
  if (kind === 'folder') await mkdir(location, { recursive: true, mode: 0o700 });
  if (kind === 'bucket') return { storageOptions: createBucketOptions(env) };
  if (kind === 'server') return createServerOptions(env);
  return {};
}

/**
 * Options for a bucket. The library itself reads access key, secret and token from the standard variables, or from the
 * machine's role.
 */
export function createBucketOptions(env: Environment): Record<string, string> {
  const endpoint = env['AWS_ENDPOINT_URL_S3'] || env['AWS_ENDPOINT_URL'] || env['AWS_ENDPOINT'];
  const region = env['AWS_REGION'] || env['AWS_DEFAULT_REGION'];
  return {
    connect_timeout: `${CONNECT_SECONDS} seconds`,
    timeout: `${REQUEST_SECONDS} seconds`,
    client_max_retries: String(MAX_RETRIES),
    client_retry_timeout: String(RETRY_SECONDS),
    ...(endpoint ? { endpoint, allow_http: String(endpoint.startsWith('http://')) } : {}),
    // Self-hosted storage has no regions, but the signature of a request needs one.
    ...(region || endpoint ? { region: region || 'us-east-1' } : {}),
  };
}

/** Options for a LanceDB server. Throws `unavailable` if the environment contains no key. */
export function createServerOptions(env: Environment): Partial<ConnectionOptions> {
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
      retryConfig: { retries: MAX_RETRIES },
    },
  };
}

/** The text with the values of `SECRET_VARIABLES` masked, because servers may repeat a key in their answers. */
export function removeSecrets(text: string, env: Environment): string {
  return SECRET_VARIABLES.reduce(
    (redacted, name) => (env[name] ? redacted.replaceAll(env[name], '…') : redacted),
    text,
  );
}
