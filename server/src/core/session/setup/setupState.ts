// Reads and stores the record of the last set-up, and describes it in a sentence for doctor and sidebar.

import { formatCount } from '../../../util/counted.ts';
import { groupThousands } from '../../../util/thousands.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import type { SetupCheck, SetupRecord, SetupState } from '../../model/setup.ts';
import type { SetUp } from '../../verify/context.ts';
import type { SessionContext } from '../context.ts';
import { formatIsoDay } from '../../../util/isoDay.ts';
import { SETUP_DOCUMENT } from '../../ports/documentNames.ts';

/**
 * The text before the first set-up. It does not claim that the tests cannot run, because the packages that a person has
 * installed may be enough.
 */
const NOT_SET_UP_TEXT =
  'not run yet: the first change that is checked shows whether they run here; `selfware setup` installs what they need, once you approve';
/** The advice after a set-up whose tests did not run. Only repeating the set-up would have the same result. */
const TESTS_DID_NOT_RUN_ADVICE =
  'Set the command that runs them as `selfware.verify.testCommand`, or change what the sentence names; then run `selfware setup` again.';
const DAY_NAMES = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const WEEK_MS = 7 * 24 * 3_600_000;

/**
 * The record of the last set-up; null before the first one. A damaged record counts as missing, because the next set-up
 * writes a new one.
 */
async function readSetupRecord({ ports }: Pick<SessionContext, 'ports'>): Promise<SetupRecord | null> {
  try {
    return await ports.documents.read<SetupRecord>(SETUP_DOCUMENT);
  } catch (error) {
    if (error instanceof SelfwareError && error.reason === 'damaged') return null;
    throw error;
  }
}

/** Replaces the record of the last set-up. */
export async function storeSetupRecord({ ports }: Pick<SessionContext, 'ports'>, record: SetupRecord): Promise<void> {
  await ports.documents.write(SETUP_DOCUMENT, record);
}

/** The part of the last set-up that the gates need; undefined if there was none. */
export async function readSetUp(context: Pick<SessionContext, 'ports'>): Promise<SetUp | undefined> {
  const record = await readSetupRecord(context);
  if (record === null) return undefined;
  const check = record.checks.find(({ name, runs }) => name === 'tests' && runs);
  return {
    id: `${record.name} ${record.shape} ${record.plan}`,
    testCommand: record.testCommand,
    services: record.services,
    values: record.values,
    expectedTests: check?.tests ?? null,
  };
}

/** Describes the last set-up. Reads only its record. */
export async function readSetupState(context: Pick<SessionContext, 'ports'>): Promise<SetupState> {
  const record = await readSetupRecord(context);
  if (record === null)
    return {
      outcome: 'none',
      detail: NOT_SET_UP_TEXT,
      action: 'If packages are missing, run `selfware setup`.',
      record: null,
    };
  const check = record.checks.find(({ name }) => name === 'tests');
  const [missing] = record.missing;
  if (check === undefined || !check.runs) {
    const detail = check?.reason ?? missing?.what ?? 'no test ran';
    return { outcome: 'degraded', detail, action: missing?.action ?? TESTS_DID_NOT_RUN_ADVICE, record };
  }
  const detail = `${testsSentence(check)}, set up ${formatDay(record.at, context.ports.clock.now())}`;
  return missing === undefined
    ? { outcome: 'good', detail, action: null, record }
    : { outcome: 'degraded', detail: `${detail}; missing: ${missing.what}`, action: missing.action, record };
}

/** The result of the tests in words, for instance `1,261 tests, 2.6 s`. */
export function testsSentence({ tests, failed, skipped, seconds }: SetupCheck): string {
  const failedText = failed !== null && failed > 0 ? `, ${groupThousands(failed)} of them red` : '';
  const skippedText = skipped !== undefined && skipped > 0 ? `, ${groupThousands(skipped)} skipped` : '';
  return `${formatCount(tests ?? 0, 'test')}${failedText}${skippedText}, ${seconds.toFixed(1)} s`;
}

/** The day in words: the name of the day within the last week, otherwise the date. */
function formatDay(time: number, now: number): string {
  return now - time < WEEK_MS ? `on ${DAY_NAMES[new Date(time).getDay()]}` : `on ${formatIsoDay(time)}`;
}
