// "Find Missing Tests or Faults…": asks for the kind and the scope of a search, then shows its results as a page.

import * as vscode from 'vscode';
import type { CommandOutcome } from '#protocol/review';
import type { ClientContext } from './context.ts';
import { folderOfSidebar } from './folders.ts';
import { improve, proposeTest } from './improve.ts';
import { showMessage } from './messages.ts';
import { runReport } from './reports.ts';

const TITLE = 'Find Missing Tests or Faults';

/** The kinds of searches, by their server commands, as entries of a list. `progress`: the title of the progress. */
const SEARCH_ITEMS = {
  findMistakes: {
    label: '$(beaker) Missing Tests',
    description: 'a few minutes',
    detail: 'Mistakes that no test notices, and tests that would. Runs your tests.',
    progress: 'Looking for missing tests',
  },
  findCalls: {
    label: '$(bug) Calls That Break',
    description: 'at most one minute',
    detail: 'Calls that break exported functions, with failing tests. Runs your code.',
    progress: 'Looking for calls that break',
  },
  findExamples: {
    label: '$(book) Wrong Examples',
    description: 'at most two minutes',
    detail: 'Examples in the documentation that no longer return what they say. Runs your code.',
    progress: 'Running the examples of the documentation',
  },
  measureCoverage: {
    label: '$(list-selection) Lines That No Test Runs',
    description: 'about twice as long as your tests take',
    detail: 'Test coverage, which the points then count. Runs your tests.',
    progress: 'Measuring test coverage',
  },
} as const;

type SearchKind = keyof typeof SEARCH_ITEMS;

/**
 * Searches, and shows the results as a page. `request`: the kind of search; `proposeTest` makes a proposal instead of a
 * page. `file`: the URI of the file to search. Asks the person for missing arguments. Undefined if the person cancels.
 */
export async function searchFurther(
  context: ClientContext,
  request?: string,
  file?: string,
): Promise<CommandOutcome | undefined> {
  if (request === 'proposeTest') return proposeTest(context);
  const search = isSearch(request) ? request : await askSearchKind();
  if (!search) return undefined;
  // Coverage is measured with all tests, and examples are searched in all documents, so there is no scope to choose.
  const scopeUri =
    search === 'measureCoverage' || search === 'findExamples' ? null : (file ?? (await askSearchScope(context)));
  if (scopeUri === undefined) return undefined;
  const outcome = await runReport(
    context,
    SEARCH_ITEMS[search].progress,
    search,
    scopeUri === null ? {} : { uri: scopeUri },
  );
  await context.feed.refresh();
  if (outcome?.proposable) void offerProposal(context, search, outcome.message, outcome.proposable);
  return outcome;
}

/** Shows the message with a button that proposes tests for the best finding on the page, or corrected examples. */
async function offerProposal(
  context: ClientContext,
  search: SearchKind,
  message: string,
  { opportunity, name }: NonNullable<CommandOutcome['proposable']>,
): Promise<void> {
  const proposeLabel = search === 'findExamples' ? `Propose to Correct ${name}` : `Propose Tests for ${name}`;
  if ((await showMessage(message, proposeLabel)) === proposeLabel) await improve(context, opportunity);
}

function isSearch(name: string | undefined): name is SearchKind {
  return name !== undefined && Object.hasOwn(SEARCH_ITEMS, name);
}

async function askSearchKind(): Promise<SearchKind | undefined> {
  const items = (Object.keys(SEARCH_ITEMS) as SearchKind[]).map((search) => ({ ...SEARCH_ITEMS[search], search }));
  const chosenSearch = await vscode.window.showQuickPick(items, {
    title: TITLE,
    placeHolder: 'What to look for, in the sandbox',
  });
  return chosenSearch?.search;
}

/**
 * Asks for the scope. Returns the URI of the active file, null for the whole folder, or undefined if the person
 * cancels. If the active editor shows no file of the folder, returns null without asking.
 */
async function askSearchScope({ feed }: ClientContext): Promise<string | null | undefined> {
  const uri = vscode.window.activeTextEditor?.document.uri;
  const folder = folderOfSidebar(feed);
  if (uri?.scheme !== 'file' || !folder || !isBelow(uri, folder)) return null;
  const items = [
    { label: '$(file) This File', description: vscode.workspace.asRelativePath(uri, false), place: uri.toString() },
    {
      label: '$(root-folder) The Whole Folder',
      description: 'the files that matter most first; a later search continues where this one ends',
      place: null,
    },
  ];
  const chosenScope = await vscode.window.showQuickPick(items, { title: TITLE, placeHolder: 'Where to look' });
  return chosenScope?.place;
}

function isBelow(uri: vscode.Uri, folder: vscode.Uri): boolean {
  return uri.path.startsWith(`${folder.path.replace(/\/$/, '')}/`);
}
