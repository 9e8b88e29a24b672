// The VS Code commands for learned recipes, lessons, rules and the inbox, as data: a part of `commandTable`.

import { changesPossibleCondition, type CommandRow } from '../commandRow.ts';

/** Condition for `enablement`: the active editor shows repository rules, which have a scheme of their own. */
const readingRulesCondition = 'resourceScheme == selfware-rules';

/** The commands about repeated edits, lessons, the inbox, and the rules of the repository. */
export const learnedCommands = [
  {
    id: 'selfware.repeatEdit',
    title: 'Repeat an Edit…',
    icon: '$(replace-all)',
    enablement: 'isWorkspaceTrusted',
    palette: true,
    when: changesPossibleCondition,
    description:
      'Finds edits that you made twice, uncommitted or in the history, and proposes the places that are left. Asks which edits; a model can make the first ones. In the menu of Source Control, too.',
  },
  {
    id: 'selfware.forgetLesson',
    title: 'Forget a Lesson…',
    icon: '$(lightbulb)',
    palette: true,
    when: 'selfware.hasLearned',
    description: 'Lists what was learned from your decisions and from checks. What you choose no longer counts.',
  },
  {
    id: 'selfware.inbox',
    title: 'Decide About a Proposed Command or Skill…',
    icon: '$(inbox)',
    palette: true,
    when: 'selfware.hasInbox',
    description:
      'Lists the tools, commands and skills that are proposed. You apply or reject each; nothing is proposed twice.',
  },
  {
    id: 'selfware.readRules',
    title: 'Read Rules of This Repository…',
    icon: '$(book)',
    enablement: 'isWorkspaceTrusted',
    palette: true,
    when: 'selfware.hasBrought',
    description:
      'Opens a file of rules for models and agents that the repository brings along. You accept its exact text, or keep it off.',
  },
  {
    id: 'selfware.acceptRules',
    title: 'Accept Rules',
    enablement: readingRulesCondition,
    palette: true,
    description: 'Gives the text that is open to models and agents that work here. If it changes, it is off again.',
  },
  {
    id: 'selfware.keepRulesOff',
    title: 'Keep Rules Off',
    enablement: readingRulesCondition,
    palette: true,
    description: 'Tells models and agents nothing of the text that is open. You are asked again if it changes.',
  },
  {
    id: 'selfware.decideRule',
    title: 'Decide About a Rule',
    palette: false,
    description: 'Switches a rule that an agent has written on, or keeps it off.',
  },
] as const satisfies readonly CommandRow[];
