// Opportunities of open documents, as they stand in the editor: one analysis per version, and only of the newest.

import type { Opportunity } from '../core/model.ts';
import { throwIfCancelled } from '../util/typedError.ts';
import { isCancelled } from './guard.ts';
import type { ServerContext } from './serverContext.ts';

/** Typing comes in bursts; what is analysed in between is thrown away. */
const typingPauseMillis = 200;

export interface DocumentAnalysis {
  /** Of the newest version, even when it changes while the caller waits. */
  opportunities(uri: string): Promise<readonly Opportunity[]>;
  forget(uri: string): void;
}

interface Entry {
  readonly version: number;
  readonly generation: number;
  readonly cancel: AbortController;
  readonly found: Promise<readonly Opportunity[]>;
}

export function createDocumentAnalysis(context: () => ServerContext): DocumentAnalysis {
  const entries = new Map<string, Entry>();
  const analysis: DocumentAnalysis = {
    async opportunities(uri) {
      const { documents, repositories } = context();
      const document = documents.get(uri);
      const place = document && repositories.locate(uri);
      if (!document || !place || outOfSight(place.path)) return [];
      const { repository, path } = place;
      const known = entries.get(uri);
      if (known?.version === document.version && known.generation === repository.generation) return newest(uri, known);

      known?.cancel.abort();
      const cancel = new AbortController();
      const analyse = async (): Promise<readonly Opportunity[]> => {
        if (known) await pause(cancel.signal);
        const session = await repository.session();
        throwIfCancelled(cancel.signal);
        const limit = (repository.settings?.['index.maxFileKilobytes'] ?? Infinity) * 1024;
        const text = document.getText();
        return text.length > limit ? [] : session.analyseText(path, text, cancel.signal);
      };
      const entry: Entry = { version: document.version, generation: repository.generation, cancel, found: analyse() };
      entries.set(uri, entry);
      return newest(uri, entry);
    },
    forget(uri) {
      entries.get(uri)?.cancel.abort();
      entries.delete(uri);
    },
  };
  return analysis;

  async function newest(uri: string, entry: Entry): Promise<readonly Opportunity[]> {
    try {
      return await entry.found;
    } catch (error) {
      const latest = entries.get(uri);
      if (latest && latest !== entry) return newest(uri, latest);
      // Forgotten for the next try, so that one failure is not the answer for ever.
      if (latest === entry) entries.delete(uri);
      if (isCancelled(error) || entry.cancel.signal.aborted) return [];
      throw error;
    }
  }
}

/** The index never holds these, so their opportunities would be nobody's. */
function outOfSight(path: string): boolean {
  return path.split('/').some((part) => part === 'node_modules' || part === '.git');
}

/** Ends early when a newer version has come. */
function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, typingPauseMillis);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
