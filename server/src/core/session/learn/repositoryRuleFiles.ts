// Reads the files of rules that the repository contains (`learn/repositoryRules.ts`), and records a person's decision
// on each of them.

import { estimateTokens } from '../../../util/tokens.ts';
import { describeError, SelfwareError } from '../../../util/typedError.ts';
import { formatCount } from '../../../util/counted.ts';
import { escapeInvisibleLine } from '../../../util/visible.ts';
import {
  collectAcceptedHashes,
  RULE_FILES,
  findRuleFileFolder,
  parseRepositoryRules,
  isRuleFilePath,
  MAX_RULE_FILE_CHARACTERS,
  collectRefusedHashes,
  type RepositoryRuleFile,
} from '../../learn/repositoryRules.ts';
import type { PromptContent } from '../../proposers/prompt.ts';
import { isVendored } from '../../paths/generated.ts';
import { getRefreshLimits, notify, fallBackIfDamaged, type SessionContext } from '../context.ts';
import { readRuleEvents } from './writtenRules.ts';
import { decodeUtf8 } from '../../../util/values/bytes.ts';

/** Maximum time of the search for such files, in milliseconds. */
const MAX_WALK_MS = 60_000;

/** Maximum number of listed files, not counting those in `RULE_FILES` and accepted ones. */
const MAX_LISTED = 50;

/**
 * The files of rules with their state. Skips empty files, and files in vendored code. If more than `MAX_LISTED` are
 * found, the files in the deepest folders are skipped, and a notice states their number. Files in folders are found in
 * the index or, without an index, by a walk of the tree. With `isQuick`, there is no walk; without an index, only files
 * in `RULE_FILES` and accepted ones are found then.
 */
export async function findRepositoryRuleFiles(
  context: SessionContext,
  isQuick = false,
): Promise<readonly RepositoryRuleFile[]> {
  const { records } = context.state;
  const treePaths = records.size > 0 || isQuick ? [...records.keys()] : await walkPaths(context);
  const events = await readRuleEvents(context);
  const acceptedHashes = collectAcceptedHashes(events);
  const refusedHashes = collectRefusedHashes(events);
  const shallowPathsFirst = treePaths
    .filter(isRuleFilePath)
    .toSorted((a, b) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1));
  const paths = [...new Set([...RULE_FILES, ...acceptedHashes.keys(), ...shallowPathsFirst])];
  const foundFiles: RepositoryRuleFile[] = [];
  let skippedCount = 0;
  for (const path of paths) {
    const isKnown = RULE_FILES.includes(path) || acceptedHashes.has(path);
    if (!isKnown && foundFiles.length >= MAX_LISTED) {
      skippedCount += 1;
      continue;
    }
    const text = await findTextAt(context, path);
    if (text === null || text.trim() === '' || (!isKnown && isVendored(path, text))) continue;
    foundFiles.push(parseRepositoryRules(path, text, acceptedHashes, refusedHashes));
  }
  if (skippedCount > 0)
    notify(context, {
      severity: 'info',
      message: `${formatCount(skippedCount, 'more file of rules is', 'more files of rules are')} in deeper folders and not listed.`,
      action: 'Coding agents may still read them in their copy of the repository.',
    });
  return foundFiles;
}

/** All paths of the tree; none if that takes too long, or if the tree cannot be read. */
async function walkPaths(context: SessionContext): Promise<readonly string[]> {
  try {
    const { files } = await context.ports.files.walk(getRefreshLimits(context), AbortSignal.timeout(MAX_WALK_MS));
    return files.map(({ path }) => path);
  } catch (error) {
    context.ports.log.write('warn', `Files of rules were not looked for: ${describeError(error)}`, error);
    return [];
  }
}

/** Accepted files of rules, for a question. */
type Advice = NonNullable<PromptContent['advice']>;

/**
 * The accepted files about the whole repository, in the order in which they were accepted, with at most `tokens` tokens
 * in all. Skips files whose text has changed since. A notice names the files for which there is no room.
 */
export async function loadAdviceForRepository(context: SessionContext, tokens: number): Promise<Advice> {
  const accepted = await readAcceptedHashesOrNone(context);
  const repositoryWidePaths = [...accepted.keys()].filter((path) => findRuleFileFolder(path) === null);
  return selectFittingAdvice(context, await readAdvice(context, repositoryWidePaths, accepted), tokens);
}

/**
 * The accepted files about the folders of these paths, with at most `tokens` tokens in all; the file of the innermost
 * folder is last. Skips files whose text has changed since. If there is no room for all, the innermost ones are chosen,
 * and a notice names the others.
 */
export async function collectAdvice(
  context: SessionContext,
  paths: readonly string[],
  tokens: number,
): Promise<Advice> {
  const depthOf = ({ path }: Advice[number]) => path.split('/').length;
  const innermostAdviceFirst = (await loadAdviceOfFolders(context, paths)).toSorted((a, b) => depthOf(b) - depthOf(a));
  return selectFittingAdvice(context, innermostAdviceFirst, tokens).toReversed();
}

/**
 * Number of tokens that the accepted files about the folders of these paths take, at most `tokens`. If `paths` is null,
 * the files about all folders count.
 */
export async function countTokensForFolders(
  context: SessionContext,
  paths: readonly string[] | null,
  tokens: number,
): Promise<number> {
  const advice = await loadAdviceOfFolders(context, paths);
  const neededTokens = advice.reduce((sum, { text }) => sum + estimateTokens(text), 0);
  return Math.max(0, Math.min(tokens, neededTokens));
}

/** The accepted files about the folders of these paths or, if `paths` is null, about all folders. */
async function loadAdviceOfFolders(context: SessionContext, paths: readonly string[] | null): Promise<Advice> {
  const accepted = await readAcceptedHashesOrNone(context);
  const applyingPaths = [...accepted.keys()].filter((path) => {
    const folder = findRuleFileFolder(path);
    return folder !== null && (paths === null || paths.some((path) => path.startsWith(`${folder}/`)));
  });
  return readAdvice(context, applyingPaths, accepted);
}

/** By path: the accepted hash; empty if the ledger is damaged. */
function readAcceptedHashesOrNone(context: SessionContext): Promise<ReadonlyMap<string, string>> {
  return fallBackIfDamaged<ReadonlyMap<string, string>>(context, new Map(), () => readAcceptedHashes(context));
}

/** The files among these whose text has not changed since it was accepted. */
async function readAdvice(
  context: SessionContext,
  paths: readonly string[],
  accepted: ReadonlyMap<string, string>,
): Promise<Advice> {
  const advice: Advice[number][] = [];
  for (const path of paths) {
    const text = await findTextAt(context, path);
    if (text !== null && parseRepositoryRules(path, text, accepted).state === 'on')
      advice.push({ path, folder: findRuleFileFolder(path), text });
  }
  return advice;
}

/** Selects one file after the other that fits into the remaining part of `tokens`. A notice names the others. */
function selectFittingAdvice(context: SessionContext, all: Advice, tokens: number): Advice {
  const advice: Advice[number][] = [];
  const skipped: string[] = [];
  let remainingTokens = tokens;
  for (const piece of all) {
    const needed = estimateTokens(piece.text);
    if (needed > remainingTokens) {
      skipped.push(escapeInvisibleLine(piece.path));
      continue;
    }
    remainingTokens -= needed;
    advice.push(piece);
  }
  if (skipped.length > 0)
    notify(context, {
      severity: 'warning',
      message: `Left out of questions, because accepted files of rules take too much of them: ${skipped.join(', ')}.`,
      action: 'Write what matters as rules (`selfware rules update`), or raise selfware.models.contextTokens.',
    });
  return advice;
}

/**
 * Accepts the text with this hash. Call this for a person only. Throws `notFound` if it is not a file of rules, `stale`
 * if the file has another text, and `usage` for one that is too long.
 */
export async function acceptRepositoryRules(context: SessionContext, path: string, hash: string): Promise<void> {
  const ruleFile = (await findRepositoryRuleFiles(context)).find((candidate) => candidate.path === path);
  requireAcceptable(path, requireFile(path, ruleFile), hash);
  await context.ledger.record({ type: 'broughtRules', data: { path, hash } });
  context.emit({ type: 'status' });
}

/**
 * Keeps the current text of a file off. `shownHash`: the hash of the text that the person has seen; if absent, the
 * current text is refused. Call this for a person only. Throws `notFound` if it is not a file of rules, and `stale` if
 * the file has another text than the one that was shown.
 */
export async function refuseRepositoryRules(context: SessionContext, path: string, shownHash?: string): Promise<void> {
  const ruleFile = (await findRepositoryRuleFiles(context)).find((candidate) => candidate.path === path);
  // A file that was accepted and then deleted can still be switched off.
  const isAccepted = (await readAcceptedHashes(context)).has(path);
  const file = isAccepted && shownHash === undefined ? ruleFile : requireFile(path, ruleFile);
  if (file && shownHash !== undefined) requireSame(file, shownHash);
  const refused = file === undefined ? {} : { refused: file.hash };
  await context.ledger.record({ type: 'broughtRules', data: { path, hash: null, ...refused } });
  context.emit({ type: 'status' });
}

function requireFile(path: string, ruleFile: RepositoryRuleFile | undefined): RepositoryRuleFile {
  if (ruleFile) return ruleFile;
  throw new SelfwareError('notFound', `${path} is not a file of rules here.`, { action: 'Run `selfware rules list`.' });
}

/** Throws `stale` if the file has another text than the one that was shown. */
function requireSame({ path, hash }: RepositoryRuleFile, shownHash: string): void {
  if (hash !== shownHash)
    throw new SelfwareError('stale', `${path} has changed since it was shown.`, { action: 'Read it again.' });
}

/** Throws `stale` if the file has another text than the one that was shown, and `usage` if it is too long. */
function requireAcceptable(path: string, ruleFile: RepositoryRuleFile, hash: string): void {
  requireSame(ruleFile, hash);
  if (ruleFile.state === 'tooLong')
    throw new SelfwareError('usage', `${path} has more than ${MAX_RULE_FILE_CHARACTERS} characters.`, {
      action: 'Write what matters as rules: `selfware rules update`.',
    });
}

/** By path: the hash of the text that a person has accepted. */
async function readAcceptedHashes(context: SessionContext): Promise<ReadonlyMap<string, string>> {
  return collectAcceptedHashes(await readRuleEvents(context));
}

/** The text of a file; null if it does not exist, cannot be read, or is not text. */
async function findTextAt({ ports }: SessionContext, path: string): Promise<string | null> {
  const bytes = await ports.files.read(path).catch((error: unknown) => {
    if (error instanceof SelfwareError) return null;
    throw error;
  });
  return bytes && decodeUtf8(bytes);
}
