// Determines the hosts to which Ollama sends code for a model. Even a server on this machine forwards questions to
// cloud models. https://docs.ollama.com/cloud

import { SelfwareError } from '../../util/typedError.ts';
import { parseDestination } from './proposerNames.ts';

/** The host to which Ollama forwards questions to its cloud models. */
const CLOUD_HOST = 'ollama.com';

/** Matches the names of cloud models of Ollama, such as `gpt-oss:120b-cloud` and `glm-4.6:cloud`. */
const CLOUD_NAME_PATTERN = /[-:]cloud$/i;

/**
 * The hosts to which code goes if this model is asked, separated by commas; null if code stays on this machine.
 * `remoteHost`: the host to which the server has said that it forwards the model; null if it has named none.
 */
export function findOllamaDestination(model: string, url: string, remoteHost: string | null = null): string | null {
  const cloudHost = CLOUD_NAME_PATTERN.test(model) ? CLOUD_HOST : null;
  const hosts = new Set([parseDestination(url), cloudHost, remoteHost].filter((host) => host !== null));
  return hosts.size === 0 ? null : [...hosts].join(', ');
}

/** The host in the `remote_host` of a model; null if the server runs the model itself. */
export function parseRemoteHost(remoteHost: unknown): string | null {
  if (typeof remoteHost !== 'string' || remoteHost.trim() === '') return null;
  const address = /^[a-z]+:\/\//i.test(remoteHost) ? remoteHost : `https://${remoteHost}`;
  return URL.canParse(address) ? new URL(address).host : remoteHost;
}

/** Throws `forbidden` if the server forwards the model to a host that is not in `destination`. */
export function requireAgreedHost(name: string, destination: string | null, remoteHost: string | null): void {
  if (remoteHost === null || destination?.split(', ').includes(remoteHost)) return;
  throw new SelfwareError('forbidden', `${name} was not asked: Ollama would send the code on to ${remoteHost}.`, {
    action: formatCloudNameAdvice(remoteHost),
  });
}

/** Advice to a person whose model is a cloud model under another name. */
export function formatCloudNameAdvice(remoteHost: string): string {
  return remoteHost === CLOUD_HOST
    ? 'Name the cloud model as Ollama does, such as ollama:gpt-oss:120b-cloud: then you are asked first.'
    : 'Use a model that runs on this machine.';
}
