// Analyses open documents with their text in the editor: quickly after each keystroke, and completely when the person
// pauses.

import { join } from 'node:path';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { readRegular } from '../adapters/files/safeRead.ts';
import { moveOpportunities } from '../core/analysis/live/textChange.ts';
import { CHECKED_RULES, rules } from '../core/analysis/rules.ts';
import type { Opportunity } from '../core/model.ts';
import type { TextAnalysis } from '../core/model/texts.ts';
import { isLearnedRule } from '../core/model/learnedRecipes.ts';
import { SelfwareError, throwIfCancelled } from '../util/typedError.ts';
import { runInBackground, isCancelled } from './guardHandlers.ts';
import type { ServerContext, Repository, Place, LiveDocuments } from './serverContext.ts';

/** Milliseconds without typing after which the complete analysis starts. */
const PAUSE_MS = 300;

const EMPTY_ANALYSIS: TextAnalysis = { functions: [], opportunities: [] };
/** Ids of the rules about several files. */
const PROJECT_RULES: ReadonlySet<string> = new Set(
  rules.filter(({ scope }) => scope === 'project').map(({ id }) => id),
);

/**
 * True for rules whose findings come from the session, because the analysis of a single text cannot apply them: rules
 * about several files, and learned recipes.
 */
function comesFromSession(rule: string): boolean {
  return PROJECT_RULES.has(rule) || isLearnedRule(rule);
}

/** An open document with its last analysis. */
interface LiveDocument {
  readonly generation: number;
  readonly cancelController: AbortController;
  /** The version of the document to which `analysis` belongs; null before the first analysis. */
  version: number | null;
  /** The text of the last analysed version. */
  text: string;
  analysis: TextAnalysis;
  /** Opportunities that only the full analysis finds, moved to their current places in `text`. */
  carriedOpportunities: readonly Opportunity[];
  /** The text at the last save; before the first save, the text when the analysis of the document began. */
  savedText: string;
  /** The analysis of a version in progress; null if there is none. */
  runningAnalysis: Promise<void> | null;
  /** True while the full analysis after a pause is running. */
  isAnalysingFully: boolean;
  /** True if another pause occurred during `isAnalysingFully`. */
  needsAnotherRun: boolean;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Sets the results of an analysis. Unlike a direct `Object.assign`, this function checks the names of the properties.
 */
function updateEntry(
  entry: LiveDocument,
  newState: Pick<LiveDocument, 'version' | 'text' | 'analysis' | 'carriedOpportunities'>,
): void {
  Object.assign(entry, newState);
}

/** Creates the analysis of open documents. `context` is a function, because the context is complete only later. */
export function createLiveDocuments(context: () => ServerContext): LiveDocuments {
  const entryByUri = new Map<string, LiveDocument>();
  return {
    async analyse(uri) {
      for (;;) {
        const { documents, repositories } = context();
        const document = documents.get(uri);
        const place = document && repositories.locate(uri);
        if (!document || !place || isNeverIndexed(place.path)) return EMPTY_ANALYSIS;
        const entry = findOrCreateEntry(uri, document, place.repository);
        if (entry.version === document.version) return entry.analysis;
        // Only one analysis of a document runs at a time. A later caller waits for it, and then for an analysis of the
        // newest version.
        entry.runningAnalysis ??= analyseVersion(uri, entry, place, document).finally(
          () => (entry.runningAnalysis = null),
        );
        try {
          await entry.runningAnalysis;
        } catch (error) {
          if (entryByUri.get(uri) !== entry) continue;
          if (isCancelled(error)) return EMPTY_ANALYSIS;
          throw error;
        }
      }
    },
    analyseClosed,
    latest(uri) {
      const entry = entryByUri.get(uri);
      return entry && entry.version !== null ? entry.analysis : null;
    },
    noteSaved(uri) {
      const entry = entryByUri.get(uri);
      const document = context().documents.get(uri);
      if (entry && document) entry.savedText = document.getText();
    },
    reanalyse(uri) {
      const entry = entryByUri.get(uri);
      const place = context().repositories.locate(uri);
      if (entry && entry.version !== null && place) scheduleFullAnalysis(uri, entry, place);
    },
    forget,
  };

  function scheduleFullAnalysis(uri: string, entry: LiveDocument, place: Place): void {
    clearTimeout(entry.timer);
    entry.timer = setTimeout(
      () => runInBackground(context().log, 'Analysing', () => runFullAnalysis(uri, entry, place)),
      PAUSE_MS,
    );
  }

  function findOrCreateEntry(uri: string, document: TextDocument, repository: Repository): LiveDocument {
    const existingEntry = entryByUri.get(uri);
    if (existingEntry?.generation === repository.generation) return existingEntry;
    forget(uri);
    const entry: LiveDocument = {
      generation: repository.generation,
      cancelController: new AbortController(),
      version: null,
      text: '',
      analysis: EMPTY_ANALYSIS,
      carriedOpportunities: [],
      savedText: document.getText(),
      runningAnalysis: null,
      isAnalysingFully: false,
      needsAnotherRun: false,
      timer: undefined,
    };
    entryByUri.set(uri, entry);
    return entry;
  }

  function forget(uri: string): void {
    const entry = entryByUri.get(uri);
    clearTimeout(entry?.timer);
    entry?.cancelController.abort();
    entryByUri.delete(uri);
  }

  async function analyseVersion(uri: string, entry: LiveDocument, place: Place, document: TextDocument): Promise<void> {
    const session = await place.repository.session();
    throwIfCancelled(entry.cancelController.signal);
    // Read only now, because the document may have changed while the session was opened.
    const { version } = document;
    const text = document.getText();
    clearTimeout(entry.timer);
    if (text.length > maxLengthOf(place.repository))
      updateEntry(entry, { version, text, analysis: EMPTY_ANALYSIS, carriedOpportunities: [] });
    else if (entry.version === null) {
      // Runs in parallel with the full analysis, so that at the first keystroke the thread is already started and the
      // text parsed.
      runInBackground(
        context().log,
        'Analysing',
        async () => void (await session.texts.analyseWhileTyping(place.path, text, entry.cancelController.signal)),
      );
      await analyseFully(entry, place, { version, text });
    } else {
      const quickResult = await session.texts.analyseWhileTyping(place.path, text, entry.cancelController.signal);
      const carriedOpportunities = moveOpportunities(entry.carriedOpportunities, entry.text, text);
      updateEntry(entry, {
        version,
        text,
        carriedOpportunities: carriedOpportunities,
        analysis: {
          functions: quickResult.functions,
          opportunities: sortByPosition([...quickResult.opportunities, ...carriedOpportunities]),
        },
      });
      if (entryByUri.get(uri) === entry) scheduleFullAnalysis(uri, entry, place);
    }
  }

  /**
   * Analyses a version completely, and stores the results in `entry`. True if they belong to the current version and
   * differ from the previous results. False for the first version, because no results were reported before.
   */
  async function analyseFully(
    entry: LiveDocument,
    { repository, path }: Place,
    { version, text }: { readonly version: number; readonly text: string },
  ): Promise<boolean> {
    const session = await repository.session();
    const fullAnalysis = await session.texts.analyse(path, text, entry.cancelController.signal);
    const sessionOpportunities = moveOpportunities(
      (await session.opportunities.shown([path])).filter(({ rule }) => comesFromSession(rule)),
      entry.savedText,
      text,
    );
    const opportunitiesOfFile = fullAnalysis.opportunities.filter(({ rule }) => !comesFromSession(rule));
    const carried = [...opportunitiesOfFile.filter(({ rule }) => CHECKED_RULES.has(rule)), ...sessionOpportunities];
    // If the person has typed meanwhile, results are kept for the places that still exist.
    if (entry.version !== null && entry.version !== version) {
      entry.carriedOpportunities = moveOpportunities(carried, text, entry.text);
      return false;
    }
    const opportunities = sortByPosition([...opportunitiesOfFile, ...sessionOpportunities]);
    const isNewResult =
      entry.version !== null && JSON.stringify(opportunities) !== JSON.stringify(entry.analysis.opportunities);
    updateEntry(entry, {
      version,
      text,
      carriedOpportunities: carried,
      analysis: { functions: fullAnalysis.functions, opportunities },
    });
    return isNewResult;
  }

  /**
   * Runs the full analysis after a pause, and reports new results. Typing does not cancel it, because finishing it
   * costs less than starting again.
   */
  async function runFullAnalysis(uri: string, entry: LiveDocument, place: Place): Promise<void> {
    if (entry.isAnalysingFully) {
      entry.needsAnotherRun = true;
      return;
    }
    if (entry.version === null) return;
    entry.isAnalysingFully = true;
    try {
      const isNewResult = await analyseFully(entry, place, { version: entry.version, text: entry.text });
      if (isNewResult && entryByUri.get(uri) === entry) context().events.diagnosticsChanged.fire({ ...place, uri });
    } finally {
      entry.isAnalysingFully = false;
      if (entry.needsAnotherRun && entryByUri.get(uri) === entry)
        runInBackground(context().log, 'Analysing', () => runFullAnalysis(uri, entry, place));
      entry.needsAnotherRun = false;
    }
  }
}

/** The opportunities in a file that is not open, with its text on disk. */
async function analyseClosed({ repository, path }: Place): Promise<readonly Opportunity[]> {
  const session = await repository.session();
  const shownOpportunities = await session.opportunities.shown([path]);
  // A file without opportunities is not analysed here, because it may be excluded from the index or too large.
  if (shownOpportunities.length === 0) return shownOpportunities;
  const text = await readTextOnDisk(join(repository.rootDir, path));
  if (text === null) return [];
  const { opportunities } = await session.texts.analyse(path, text, new AbortController().signal);
  return sortByPosition([
    ...opportunities.filter(({ rule }) => !comesFromSession(rule)),
    ...shownOpportunities.filter(({ rule }) => comesFromSession(rule)),
  ]);
}

/** The text of a file; null if it cannot be read. */
async function readTextOnDisk(file: string): Promise<string | null> {
  try {
    return Buffer.from(await readRegular(file, file)).toString('utf8');
  } catch (error) {
    if (!(error instanceof SelfwareError) && (error as NodeJS.ErrnoException).code === undefined) throw error;
    return null;
  }
}

/** True for files in node_modules and .git, which are never indexed. Nothing is reported in them. */
export function isNeverIndexed(path: string): boolean {
  return path.split('/').some((part) => part === 'node_modules' || part === '.git');
}

/** Maximum number of UTF-16 units of a text that is analysed. */
function maxLengthOf({ settings }: Repository): number {
  return (settings?.['index.maxFileKilobytes'] ?? Infinity) * 1024;
}

function sortByPosition(opportunities: readonly Opportunity[]): readonly Opportunity[] {
  return opportunities.toSorted(
    ({ nameRange: a }, { nameRange: b }) => a.startLine - b.startLine || a.startColumn - b.startColumn,
  );
}
