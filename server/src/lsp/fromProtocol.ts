// Converts what clients send over LSP to Selfware's types: ranges, URIs, settings, and the arguments of commands.
// Positions are 0-based in the protocol and 1-based in the model; both count UTF-16 units. All functions that parse
// arguments throw `usage` if a field has the wrong type.

import { relative, sep } from 'node:path';
import type { Range as LspRange } from 'vscode-languageserver/node';
import { URI } from 'vscode-uri';
import {
  baselineActions,
  type BaselineParams,
  type DecideInboxParams,
  type ForgetLessonParams,
  type UndismissParams,
  type VerifyChangeParams,
  type JudgeBranchParams,
  type SearchOnRequestParams,
  type SetupParams,
} from '#protocol/reports';
import { isPossibleEnd } from '#protocol/endTimes';
import type { AcceptanceParams, DecideAcceptanceParams, RunOvernightParams, WishesParams } from '#protocol/nights';
import type {
  ApplyParams,
  CommitParams,
  CorrectedText,
  DecisionParams,
  ExplainParams,
  ImproveParams,
  KeepParams,
  ProposalRef,
  RejectParams,
  RollbackParams,
} from '#protocol/review';
import type { Range } from '../core/model.ts';
import { SelfwareError } from '../util/typedError.ts';
import {
  isObject,
  requireArgument,
  readOptionalText,
  readTextField,
  readFlagField,
  readOptionalTexts,
} from './commands/commandArguments.ts';

/** Settings whose value is an object, which is not flattened. */
const OBJECT_SETTINGS: ReadonlySet<string> = new Set([
  'analysis.rules',
  'charter.authors',
  'models.commands',
  'models.prices',
  'models.research',
  'performance.targets',
]);

/** Converts an LSP range to a range of the model. */
export function toRange(range: LspRange): Range {
  return {
    startLine: range.start.line + 1,
    startColumn: range.start.character + 1,
    endLine: range.end.line + 1,
    endColumn: range.end.character + 1,
  };
}

/**
 * The path of a document relative to the first of `folders` that contains it, with forward slashes. Null if
 * none contains it, or if the URI is not of a file.
 */
export function toRelativePath(uri: string, folders: readonly string[]): string | null {
  const parsedUri = parseUri(uri);
  if (parsedUri?.scheme !== 'file') return null;
  for (const folder of folders) {
    const path = relative(folder, parsedUri.fsPath).split(sep).join('/');
    if (path !== '' && path !== '..' && !path.startsWith('../') && !/^([A-Za-z]:|\/)/.test(path)) return path;
  }
  return null;
}

/** The absolute path of a `file:` URI; null for any other URI. */
export function toAbsolutePath(uri: string): string | null {
  const parsed = parseUri(uri);
  return parsed?.scheme === 'file' ? parsed.fsPath : null;
}

/**
 * Flattens settings: `{a: {b: 1}}` becomes `{'a.b': 1}`, because editors send nested objects, dotted names, or both.
 * Also accepts all settings of the editor instead of only the section `selfware`.
 */
export function flattenSettings(value: unknown): Record<string, unknown> {
  if (!isObject(value)) return {};
  const section = Object.keys(value).length > 0 && isObject(value['selfware']) ? value['selfware'] : value;
  const flatSettings: Record<string, unknown> = {};
  const addSettings = (prefix: string, node: Record<string, unknown>): void => {
    for (const [name, child] of Object.entries(node)) {
      const path = `${prefix}${name}`.replace(/^selfware\./, '');
      if (isObject(child) && !OBJECT_SETTINGS.has(path)) addSettings(`${path}.`, child);
      else flatSettings[path] = child;
    }
  };
  addSettings('', section);
  return flatSettings;
}

/** Parses the arguments of the command `improve`. */
export function parseImproveParams(args: readonly unknown[] | undefined): ImproveParams {
  const opportunity = readOptionalText(args, 'opportunity');
  const uris = readOptionalTexts(args, 'uris');
  return {
    ...(opportunity === undefined ? {} : { opportunity }),
    ...(uris === undefined ? {} : { uris }),
    again: readFlagField(args, 'again'),
  };
}

/** Parses a request for an explanation. Throws `usage` if the opportunity or its document is missing. */
export function parseExplainParams(params: unknown): ExplainParams {
  const [uri, opportunity] = (['uri', 'opportunity'] as const).map((name) => readOptionalText([params], name));
  if (uri === undefined || opportunity === undefined)
    throw new SelfwareError('usage', 'uri and opportunity are needed.');
  return { uri, opportunity };
}

/** Parses a decision on an opportunity. Throws `usage` if the opportunity or its document is missing. */
export function parseDecisionParams(args: readonly unknown[] | undefined): DecisionParams {
  const [uri, opportunity, reason, kind] = (['uri', 'opportunity', 'reason', 'kind'] as const).map((name) =>
    readOptionalText(args, name),
  );
  if (uri === undefined || opportunity === undefined)
    throw new SelfwareError('usage', 'uri and opportunity are needed.');
  return { uri, opportunity, ...(reason === undefined ? {} : { reason }), ...(kind === undefined ? {} : { kind }) };
}

/**
 * Parses the arguments of the command `apply`. If no proposal is named, the command uses the newest waiting one. Throws
 * `usage` also for hunks that are not indices, and for texts without a path.
 */
export function parseApplyParams(args: readonly unknown[] | undefined): Partial<ApplyParams> {
  const proposal = readOptionalText(args, 'proposal');
  const hunks = requireArgument(args)['hunks'];
  if (
    hunks !== undefined &&
    hunks !== null &&
    !(Array.isArray(hunks) && hunks.every((index) => Number.isInteger(index) && index >= 0))
  )
    throw new SelfwareError('usage', 'hunks must be a list of indices.');
  const texts = parseCorrectedTexts(requireArgument(args)['texts']);
  return {
    ...(proposal === undefined ? {} : { proposal }),
    ...(Array.isArray(hunks) ? { hunks: hunks as number[] } : {}),
    ...(texts === undefined ? {} : { texts }),
  };
}

/** Parses the arguments of the command `reject`. */
export function parseRejectParams(args: readonly unknown[] | undefined): Partial<RejectParams> {
  const kind = readOptionalText(args, 'kind');
  return { ...parseKeepParams(args), ...(kind === undefined ? {} : { kind }) };
}

/** Parses the arguments of the command `keep`. */
export function parseKeepParams(args: readonly unknown[] | undefined): Partial<KeepParams> {
  const proposal = readOptionalText(args, 'proposal');
  const reason = readOptionalText(args, 'reason');
  return { ...(proposal === undefined ? {} : { proposal }), ...(reason === undefined ? {} : { reason }) };
}

/** Parses the arguments of the command `setup`. */
export function parseSetupParams(args: readonly unknown[] | undefined): SetupParams {
  const approved = readOptionalText(args, 'approved');
  return approved === undefined ? {} : { approved };
}

/** Parses the arguments of the commands that search on request. */
export function parseSearchOnRequestParams(args: readonly unknown[] | undefined): SearchOnRequestParams {
  const uri = readOptionalText(args, 'uri');
  return uri === undefined ? {} : { uri };
}

/** Parses the arguments of the command `judgeBranch`. */
export function parseJudgeBranchParams(args: readonly unknown[] | undefined): JudgeBranchParams {
  const base = readOptionalText(args, 'base');
  return base === undefined ? {} : { base };
}

/**
 * Parses the arguments of the command `runOvernight`. `now`: milliseconds since the epoch. Throws `usage` also for an
 * end that has passed or is too far away, for a `maxChanges` below 1, and for a negative `maxCost`.
 */
export function parseRunOvernightParams(args: readonly unknown[] | undefined, now: number): RunOvernightParams {
  const [proposer, agreed] = (['proposer', 'agreed'] as const).map((name) => readOptionalText(args, name));
  const { until, maxChanges, maxCost, ...others } = requireArgument(args);
  const lists = (['places', 'excluded', 'kinds'] as const).flatMap((name) => {
    const list = others[name];
    if (!isPresent(list)) return [];
    if (Array.isArray(list) && list.every((item) => typeof item === 'string')) return [[name, list] as const];
    throw new SelfwareError('usage', `${name} must be a list of texts.`);
  });
  if (isPresent(until) && !(typeof until === 'number' && isPossibleEnd(until, now)))
    throw new SelfwareError('usage', 'until must be a time within the next 24 days, in milliseconds since the epoch.');
  if (isPresent(maxChanges) && !(Number.isSafeInteger(maxChanges) && (maxChanges as number) > 0))
    throw new SelfwareError('usage', 'maxChanges must be a whole number above 0.');
  if (isPresent(maxCost) && !(Number.isFinite(maxCost) && (maxCost as number) >= 0))
    throw new SelfwareError('usage', 'maxCost must be a number of at least 0.');
  return {
    ...(isPresent(until) ? { until: until as number } : {}),
    ...(isPresent(maxChanges) ? { maxChanges: maxChanges as number } : {}),
    ...(isPresent(maxCost) ? { maxCost: maxCost as number } : {}),
    ...Object.fromEntries(lists),
    ...(proposer === undefined ? {} : { proposer }),
    ...(agreed === undefined ? {} : { agreed }),
  };
}

/** Parses the arguments of the command `wishes`. Throws `usage` also for several changes. */
export function parseWishesParams(args: readonly unknown[] | undefined): WishesParams {
  const changes = (['add', 'first', 'up', 'down', 'last', 'drop'] as const).flatMap((name) => {
    const text = readOptionalText(args, name);
    return text === undefined ? [] : [[name, text] as const];
  });
  if (changes.length > 1)
    throw new SelfwareError('usage', 'Name one change of the queue at a time: add, first, up, down, last or drop.');
  return Object.fromEntries(changes);
}

/** Parses the arguments of the command `acceptanceTest`. Throws `usage` for a field that is missing or wrong. */
export function parseAcceptanceParams(args: readonly unknown[] | undefined): AcceptanceParams {
  const agreed = readOptionalText(args, 'agreed');
  const wish = readOptionalText(args, 'wish');
  const excludedTexts = readOptionalTexts(args, 'without');
  return {
    proposer: readTextField(args, 'proposer'),
    again: readFlagField(args, 'again'),
    ...(wish === undefined ? {} : { wish }),
    ...(agreed === undefined ? {} : { agreed }),
    ...(excludedTexts === undefined ? {} : { without: excludedTexts }),
  };
}

/** Parses the arguments of the command `decideAcceptance`. Throws `usage` for a field that is missing or wrong. */
export function parseDecideAcceptanceParams(args: readonly unknown[] | undefined): DecideAcceptanceParams {
  const wish = readTextField(args, 'wish');
  const value = requireArgument(args)['texts'];
  if (value === undefined || value === null) return { wish };
  const isText = (element: unknown): element is NonNullable<DecideAcceptanceParams['texts']>[number] =>
    isObject(element) &&
    typeof element['path'] === 'string' &&
    (element['before'] === null || typeof element['before'] === 'string') &&
    typeof element['after'] === 'string';
  if (!Array.isArray(value) || !value.every(isText))
    throw new SelfwareError('usage', 'texts must be a list of files with their text and the text before.');
  return { wish, texts: value.map(({ path, before, after }) => ({ path, before, after })) };
}

/** Parses the arguments of the command `commit`. */
export function parseCommitParams(args: readonly unknown[] | undefined): CommitParams {
  const branch = readOptionalText(args, 'branch');
  const changes = readOptionalTexts(args, 'changes');
  return { ...(branch === undefined ? {} : { branch }), ...(changes === undefined ? {} : { changes }) };
}

/** Parses the id of a proposal, if there is one. */
export function parseProposalRef(args: readonly unknown[] | undefined): Partial<ProposalRef> {
  const proposal = readOptionalText(args, 'proposal');
  return proposal === undefined ? {} : { proposal };
}

/**
 * Parses the arguments of the command `rollback`. If no checkpoint is named, the command uses the newest change that
 * was not rolled back.
 */
export function parseRollbackParams(args: readonly unknown[] | undefined): Partial<RollbackParams> {
  const checkpoint = readOptionalText(args, 'checkpoint');
  return checkpoint === undefined ? {} : { checkpoint };
}

/** Parses the arguments of the command `baseline`. Throws `usage` for an unknown action. */
export function parseBaselineParams(args: readonly unknown[] | undefined): BaselineParams {
  const actionName = readOptionalText(args, 'action') ?? 'show';
  const action = baselineActions.find((candidate) => candidate === actionName);
  if (!action) throw new SelfwareError('usage', `action must be one of ${baselineActions.join(', ')}.`);
  return { action };
}

/** Parses the arguments of the command `verifyChange`. Throws `usage` if no change is named. */
export function parseVerifyChangeParams(args: readonly unknown[] | undefined): VerifyChangeParams {
  const change = readOptionalText(args, 'change');
  if (change === undefined)
    throw new SelfwareError('usage', 'change must be the id of a kept change, or of its checkpoint.', {
      action: '`selfware checkpoints list` lists them.',
    });
  return { change };
}

/** Parses the arguments of the command `undismiss`. Throws `usage` if no opportunity is named. */
export function parseUndismissParams(args: readonly unknown[] | undefined): UndismissParams {
  const opportunities = readOptionalTexts(args, 'opportunities');
  if (!opportunities)
    throw new SelfwareError('usage', 'opportunities must be a list of ids.', {
      action: '`selfware dismiss --list` lists what is dismissed.',
    });
  return { opportunities };
}

/** Parses the arguments of the command `forgetLesson`. Throws `usage` if no lesson is named. */
export function parseForgetLessonParams(args: readonly unknown[] | undefined): ForgetLessonParams {
  const lesson = readOptionalText(args, 'lesson');
  if (lesson === undefined)
    throw new SelfwareError('usage', 'lesson must be the id of a lesson.', {
      action: '`selfware learned` lists them.',
    });
  return { lesson };
}

/**
 * Parses the arguments of the command `decideInbox`. Throws `usage` also if no item is named, or if the verdict is
 * neither `applied` nor `rejected`.
 */
export function parseDecideInboxParams(args: readonly unknown[] | undefined): DecideInboxParams {
  const [item, verdict, reason] = ['item', 'verdict', 'reason'].map((name) => readOptionalText(args, name));
  if (item === undefined || (verdict !== 'applied' && verdict !== 'rejected'))
    throw new SelfwareError('usage', 'item must be the id of a proposal, and verdict applied or rejected.', {
      action: '`selfware inbox` lists them.',
    });
  const shownTexts = readOptionalTexts(args, 'shown');
  return {
    item,
    verdict,
    mayWrite: readFlagField(args, 'mayWrite'),
    ...(shownTexts === undefined ? {} : { shown: shownTexts }),
    ...(reason === undefined ? {} : { reason }),
  };
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/**
 * The texts that a person has edited in a review; undefined if the field is missing. Throws `usage` if it is not a list
 * of files with their texts.
 */
function parseCorrectedTexts(value: unknown): readonly CorrectedText[] | undefined {
  if (value === undefined || value === null) return undefined;
  const isText = (element: unknown): element is CorrectedText =>
    isObject(element) && typeof element['path'] === 'string' && typeof element['after'] === 'string';
  if (!Array.isArray(value) || !value.every(isText))
    throw new SelfwareError('usage', 'texts must be a list of files with their text.');
  return value.map(({ path, after }) => ({ path, after }));
}

/** The parsed URI; null for a value that cannot be parsed, because a client may send anything. */
function parseUri(uri: unknown): URI | null {
  if (typeof uri !== 'string') return null;
  try {
    return URI.parse(uri, true);
  } catch (error) {
    if (error instanceof Error) return null;
    throw error;
  }
}
