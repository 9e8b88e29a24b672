// Reads and changes the API keys of models, by host, in the secret storage of VS Code. All keys are one secret, because
// older versions of VS Code cannot list the entries of their secret storage.

import type { SecretStorage } from 'vscode';

/** The name of the secret with all keys as JSON. */
export const SECRET_NAME = 'selfware.modelKeys';

/** The keys of models in a secret storage. */
export interface KeyRing {
  /** The keys by host; empty if none is stored, or if the secret is not the JSON that `change` stores. */
  read(): Promise<Readonly<Record<string, string>>>;
  /**
   * Passes the keys to `edit`, then stores what `edit` has left in the map. Changes run one after the other, because
   * each writes all keys. Rejects if VS Code cannot read or store secrets here.
   */
  change(edit: (keys: Map<string, string>) => void): Promise<void>;
}

/** Creates the access to the keys in `secrets`. */
export function createKeyRing(secrets: Pick<SecretStorage, 'get' | 'store' | 'delete'>): KeyRing {
  let lastChange: Promise<void> = Promise.resolve();
  const read = async () => parseKeys(await secrets.get(SECRET_NAME));
  return {
    read,
    change(edit) {
      const change = lastChange.then(async () => {
        const keys = new Map(Object.entries(await read()));
        edit(keys);
        if (keys.size === 0) await secrets.delete(SECRET_NAME);
        else await secrets.store(SECRET_NAME, JSON.stringify(Object.fromEntries(keys)));
      });
      lastChange = change.catch(() => undefined);
      return change;
    },
  };
}

/** The keys in the stored JSON; entries that are not text are dropped, and other JSON gives no keys. */
function parseKeys(storedText: string | undefined): Readonly<Record<string, string>> {
  if (storedText === undefined) return {};
  try {
    const value: unknown = JSON.parse(storedText);
    if (typeof value !== 'object' || value === null) return {};
    return Object.fromEntries(
      Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  } catch {
    return {};
  }
}
