// Open documents as they are in the editor: checked at every keystroke, and in full whenever the person pauses.

import { join } from 'node:path';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { readRegular } from '../adapters/files/door.ts';
import { carriedOver } from '../core/analysis/live/textChange.ts';
import { CHECKED_RULES, rules } from '../core/analysis/rules.ts';
import type { Opportunity } from '../core/model.ts';
import type { TextAnalysis } from '../core/session.ts';
import { SelfwareError, throwIfCancelled } from '../util/typedError.ts';
import { inBackground, isCancelled } from './guard.ts';
import type { ServerContext, Repository, Place, LiveDocuments } from './serverContext.ts';

/** So long without a keystroke is a pause. */
const pauseMillis = 300;

const NOTHING: TextAnalysis = { functions: [], opportunities: [] };
const PROJECT_RULES: ReadonlySet<string> = new Set(
  rules.filter(({ scope }) => scope === 'project').map(({ id }) => id),
);

interface Entry {
  readonly generation: number;
  readonly cancel: AbortController;
  /** What `found` is about; version null = nothing was looked at yet. */
  version: number | null;
  text: string;
  found: TextAnalysis;
  /** Opportunities that a look in passing does not find, as they lie in `text`. */
  carried: readonly Opportunity[];
  savedText: string;
  looking: Promise<void> | null;
  settling: boolean;
  /** There was a pause while `settling`. */
  again: boolean;
  timer: NodeJS.Timeout | undefined;
}

export function createLiveDocuments(context: () => ServerContext): LiveDocuments {
  const entries = new Map<string, Entry>();
  return {
    async look(uri) {
      for (;;) {
        const { documents, repositories } = context();
        const document = documents.get(uri);
        const place = document && repositories.locate(uri);
        if (!document || !place || outOfSight(place.path)) return NOTHING;
        const entry = entryOf(uri, document, place.repository);
        if (entry.version === document.version) return entry.found;
        // One look at a time: who comes meanwhile waits for it, and then for one look at the newest version.
        entry.looking ??= lookAt(uri, entry, place, document).finally(() => (entry.looking = null));
        try {
          await entry.looking;
        } catch (error) {
          if (entries.get(uri) !== entry) continue;
          if (isCancelled(error)) return NOTHING;
          throw error;
        }
      }
    },
    lookClosed,
    latest(uri) {
      const entry = entries.get(uri);
      return entry && entry.version !== null ? entry.found : null;
    },
    saved(uri) {
      const entry = entries.get(uri);
      const document = context().documents.get(uri);
      if (entry && document) entry.savedText = document.getText();
    },
    again(uri) {
      const entry = entries.get(uri);
      const place = context().repositories.locate(uri);
      if (entry && entry.version !== null && place) settleSoon(uri, entry, place);
    },
    forget,
  };

  function settleSoon(uri: string, entry: Entry, place: Place): void {
    clearTimeout(entry.timer);
    entry.timer = setTimeout(
      () => inBackground(context().log, 'Analysing', () => settle(uri, entry, place)),
      pauseMillis,
    );
  }

  function entryOf(uri: string, document: TextDocument, repository: Repository): Entry {
    const known = entries.get(uri);
    if (known?.generation === repository.generation) return known;
    forget(uri);
    const entry: Entry = {
      generation: repository.generation,
      cancel: new AbortController(),
      version: null,
      text: '',
      found: NOTHING,
      carried: [],
      savedText: document.getText(),
      looking: null,
      settling: false,
      again: false,
      timer: undefined,
    };
    entries.set(uri, entry);
    return entry;
  }

  function forget(uri: string): void {
    const entry = entries.get(uri);
    clearTimeout(entry?.timer);
    entry?.cancel.abort();
    entries.delete(uri);
  }

  async function lookAt(uri: string, entry: Entry, place: Place, document: TextDocument): Promise<void> {
    const session = await place.repository.session();
    throwIfCancelled(entry.cancel.signal);
    // The document moves on while we wait; what is looked at is how it is now.
    const { version } = document;
    const text = document.getText();
    clearTimeout(entry.timer);
    if (text.length > largest(place.repository)) Object.assign(entry, { version, text, found: NOTHING, carried: [] });
    else if (entry.version === null) {
      // Beside the full look, so that the first keystroke finds its thread started and the tree made.
      inBackground(
        context().log,
        'Analysing',
        async () => void (await session.texts.glance(place.path, text, entry.cancel.signal)),
      );
      await lookFully(entry, place, { version, text });
    } else {
      const quick = await session.texts.glance(place.path, text, entry.cancel.signal);
      const carried = carriedOver(entry.carried, entry.text, text);
      Object.assign(entry, {
        version,
        text,
        carried,
        found: { functions: quick.functions, opportunities: inOrder([...quick.opportunities, ...carried]) },
      });
      if (entries.get(uri) === entry) settleSoon(uri, entry, place);
    }
  }

  async function lookFully(
    entry: Entry,
    { repository, path }: Place,
    { version, text }: { readonly version: number; readonly text: string },
  ): Promise<boolean> {
    const session = await repository.session();
    const full = await session.texts.analyse(path, text, entry.cancel.signal);
    const ofProject = carriedOver(
      (await session.opportunities.shown([path])).filter(({ rule }) => PROJECT_RULES.has(rule)),
      entry.savedText,
      text,
    );
    const own = full.opportunities.filter(({ rule }) => !PROJECT_RULES.has(rule));
    const carried = [...own.filter(({ rule }) => CHECKED_RULES.has(rule)), ...ofProject];
    // Typed meanwhile: what was found holds for the places that are still there.
    if (entry.version !== null && entry.version !== version) {
      entry.carried = carriedOver(carried, text, entry.text);
      return false;
    }
    const opportunities = inOrder([...own, ...ofProject]);
    const isNews =
      entry.version !== null && JSON.stringify(opportunities) !== JSON.stringify(entry.found.opportunities);
    Object.assign(entry, { version, text, carried, found: { functions: full.functions, opportunities } });
    return isNews;
  }

  /** Runs to its end even when typing goes on: to end it would cost more than to let it finish. */
  async function settle(uri: string, entry: Entry, place: Place): Promise<void> {
    if (entry.settling) {
      entry.again = true;
      return;
    }
    if (entry.version === null) return;
    entry.settling = true;
    try {
      const isNews = await lookFully(entry, place, { version: entry.version, text: entry.text });
      if (isNews && entries.get(uri) === entry) context().events.looked.fire({ ...place, uri });
    } finally {
      entry.settling = false;
      if (entry.again && entries.get(uri) === entry)
        inBackground(context().log, 'Analysing', () => settle(uri, entry, place));
      entry.again = false;
    }
  }
}

async function lookClosed({ repository, path }: Place): Promise<readonly Opportunity[]> {
  const session = await repository.session();
  const known = await session.opportunities.shown([path]);
  // Also what is never analysed, because it is ignored or too large.
  if (known.length === 0) return known;
  const text = await textOnDisk(join(repository.rootDir, path));
  if (text === null) return [];
  const { opportunities } = await session.texts.analyse(path, text, new AbortController().signal);
  return inOrder([
    ...opportunities.filter(({ rule }) => !PROJECT_RULES.has(rule)),
    ...known.filter(({ rule }) => PROJECT_RULES.has(rule)),
  ]);
}

async function textOnDisk(file: string): Promise<string | null> {
  try {
    return Buffer.from(await readRegular(file, file)).toString('utf8');
  } catch (error) {
    if (!(error instanceof SelfwareError) && (error as NodeJS.ErrnoException).code === undefined) throw error;
    return null;
  }
}

/** The index never holds these, so their opportunities would be nobody's. */
function outOfSight(path: string): boolean {
  return path.split('/').some((part) => part === 'node_modules' || part === '.git');
}

/** UTF-16 units. */
function largest({ settings }: Repository): number {
  return (settings?.['index.maxFileKilobytes'] ?? Infinity) * 1024;
}

function inOrder(opportunities: readonly Opportunity[]): readonly Opportunity[] {
  return opportunities.toSorted(
    ({ nameRange: one }, { nameRange: other }) =>
      one.startLine - other.startLine || one.startColumn - other.startColumn,
  );
}
