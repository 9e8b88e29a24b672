// Defines the tools with which agents record experiences, analyse them, and note rules that follow from them.

import * as z from 'zod';
import { renderRules } from '../core/learn/renderRules.ts';
import { FEEDBACK_KINDS, RULE_FILES } from '../core/model/feedback.ts';
import { SelfwareError } from '../util/typedError.ts';
import { toOneLine } from './bounds.ts';
import { defineTool } from './tool.ts';

/** Maximum number of entries of each list. */
const MAX_LISTED = 20;

const recordInput = z.object({
  event_type: z.enum(FEEDBACK_KINDS).describe('What kind of experience it is.'),
  dimension: z
    .string()
    .describe(
      'What it is about: a tool as tool:NAME, a command line that you ran as command:LINE, something that is missing as wanted:WORDS, or a subject such as output-hygiene.',
    ),
  session: z.string().max(100).optional().describe('The name of your session, the same in all its calls.'),
  value: z.number().nullish().describe('A figure that goes with it, such as milliseconds.'),
  note: z.string().nullish().describe('Details: what failed, or what the person said.'),
});

/** Records an experience of an agent. */
export const feedbackRecordTool = defineTool<z.output<typeof recordInput>>({
  name: 'feedback_record',
  title: 'Record an Experience',
  summary: 'Records that a tool worked or failed, or that the person corrected something.',
  description:
    'Call this when the person corrects you, when a tool or a model fails, or when a pattern repeats. Calls of these tools are recorded already. Secrets are removed. Later analysis finds what goes wrong often.',
  hints: { readOnly: false, destructive: false, idempotent: false },
  needsTrust: false,
  runningText: 'Recording an experience',
  icon: '$(note)',
  input: recordInput,
  async run({ event_type: kind, dimension, session: agentSession, value, note }, { session }) {
    await session.learned.record({
      kind,
      dimension,
      value: value ?? null,
      note: note ?? null,
      ...(agentSession === undefined ? {} : { session: agentSession }),
    });
    return { structured: { recorded: true }, text: 'Recorded.' };
  },
});

const analyseInput = z.object({
  query: z
    .enum(['summary', 'tool_stats', 'recent', 'failures'])
    .default('summary')
    .describe(
      'summary: counts and what to act on. tool_stats: calls and failures by tool. recent: the newest troubles of all kinds. failures: the newest failures of tools.',
    ),
});

/** Reports what goes wrong often, according to the recorded experiences. */
export const feedbackAnalyzeTool = defineTool<z.output<typeof analyseInput>>({
  name: 'feedback_analyze',
  title: 'Analyse Experiences',
  summary: 'Tells which tools fail often, what was corrected repeatedly, and which models did not answer.',
  description:
    'Returns what goes wrong often enough to act on it, each with the numbers of the events that show it. What a commit since then names counts as dealt with. Use the event numbers with self_improve.',
  hints: { readOnly: true, destructive: false, idempotent: true },
  needsTrust: false,
  runningText: 'Analysing experiences',
  icon: '$(pulse)',
  input: analyseInput,
  async run({ query }, { session, operation }) {
    const { counts, tools, recent, failures, findings } = await session.learned.analyseFeedback(operation.signal);
    const shownEvents = (query === 'failures' ? failures : recent)
      .slice(0, MAX_LISTED)
      .map(({ sequence, at, kind, dimension, note }) => ({
        event: sequence,
        at: new Date(at).toISOString(),
        kind,
        dimension: toOneLine(dimension),
        note: note === null ? null : toOneLine(note, 300),
      }));
    const structured =
      query === 'tool_stats'
        ? { tools: tools.slice(0, MAX_LISTED) }
        : query === 'summary'
          ? {
              counts,
              findings: findings
                .slice(0, MAX_LISTED)
                .map((finding) => ({ ...finding, events: finding.events.slice(-MAX_LISTED) })),
            }
          : { events: shownEvents };
    return { structured, text: JSON.stringify(structured, null, 1) };
  },
});

const improveInput = z.object({
  action: z.enum(['read', 'apply', 'update', 'list']).describe('read first; apply and update add a rule.'),
  target_file: z
    .enum(RULE_FILES)
    .optional()
    .describe(
      'CODE: how code is written here. TOOLS: how tools are used. USER: what the person wants. SECURITY, SOUL, MEMORY, AGENTS likewise.',
    ),
  content: z.string().optional().describe('The rule: what to do, in one or two sentences.'),
  version: z.string().optional().describe('The version that read has returned.'),
  events: z.array(z.int().positive()).optional().describe('Numbers of the events that show that the rule is needed.'),
});

/** Reads the rules of the repository, and notes new ones. */
export const selfImproveTool = defineTool<z.output<typeof improveInput>>({
  name: 'self_improve',
  title: 'Note a Rule',
  summary: 'Reads the rules of this repository, and notes new ones, which a person switches on.',
  description:
    'Rules for whoever works here. read returns a file and its version; apply or update adds a rule and needs that version and the events that show it. Nothing is ever removed; the same rule once more means that it was broken again. A new rule is off until the person switches it on.',
  hints: { readOnly: false, destructive: false, idempotent: false },
  needsTrust: false,
  runningText: 'Reading or noting rules',
  icon: '$(book)',
  input: improveInput,
  async run({ action, target_file: file, content, version, events = [] }, { session }) {
    if (action === 'list') {
      const rules = (await session.learned.rules()).filter(({ state }) => state === 'on').slice(-MAX_LISTED);
      return { structured: { rules }, text: JSON.stringify(rules, null, 1) };
    }
    if (file === undefined) throw new SelfwareError('usage', 'Name the target_file.');
    if (action === 'read') {
      const ruleFile = await session.learned.readRules(file);
      // Other agents do not read a rule before a person has switched it on.
      const rules = ruleFile.rules.filter(({ state }) => state === 'on');
      return { structured: { ...ruleFile, rules }, text: `${renderRules(rules, file)}\nVersion: ${ruleFile.version}` };
    }
    if (content === undefined || version === undefined)
      throw new SelfwareError('usage', `${action} needs content and version.`, { action: 'Read the file first.' });
    const rule = await session.learned.writeRule({ file, version, text: content, by: 'agent', events });
    return {
      structured: { file, version: rule.version },
      text: 'Noted. The rule is off until the person switches it on.',
    };
  },
});
