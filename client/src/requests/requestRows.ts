// The VS Code commands for requests in words ("Ask for a Change…"), as data: a part of `commandTable`.

import { changesPossibleCondition, type CommandRow } from '../commandRow.ts';

/** The rows, in the order of the documentation. */
export const requestRows = [
  {
    id: 'selfware.askForChange',
    title: 'Ask for a Change…',
    icon: '$(comment-discussion)',
    enablement: 'isWorkspaceTrusted',
    palette: true,
    when: changesPossibleCondition,
    description:
      'Asks what you want, in words. A model or an agent writes an acceptance test, which you read first, then the ' +
      'change, which opens for review once it passes its checks.',
  },
  {
    id: 'selfware.requests',
    title: 'Requests That Wait…',
    icon: '$(list-unordered)',
    enablement: 'isWorkspaceTrusted',
    palette: true,
    when: `${changesPossibleCondition} && selfware.hasRequests`,
    description:
      'Lists the requests in words, and the tasks of models that wait for you, with what was tried. Continues one, ' +
      'corrects it, lets you write its test, or drops it.',
  },
] as const satisfies readonly CommandRow[];
