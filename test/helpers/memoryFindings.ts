// The analysis of the small session in `memorySession.ts`: functions, opportunities and points of a text.

import { createHash } from 'node:crypto';
import type { PossibleWork } from '../../server/src/core/session/analyse/analysisTypes.ts';
import type { FunctionMetrics, Opportunity, Points } from '../../server/src/core/model.ts';

/**
 * The functions of a text: each line that begins with `function NAME`, with one branch for each question mark in it.
 */
export function findFunctions(path: string, text: string): FunctionMetrics[] {
  return text.split('\n').flatMap((line, index): FunctionMetrics[] => {
    const name = /^function (\w+)/.exec(line)?.[1];
    const branches = line.split('?').length - 1;
    return name === undefined
      ? []
      : [
          {
            path,
            line: index + 1,
            column: 1,
            endLine: index + 1,
            name,
            kind: 'function',
            cyclomatic: branches + 1,
            cognitive: branches,
            nesting: 0,
            statements: 1,
            parameters: 0,
            halstead: null,
            maintainability: null,
          },
        ];
  });
}

/** The opportunities of a text: one for each line with "poor" that no comment suppresses. */
export function findOpportunities(path: string, text: string): Opportunity[] {
  const lines = text.split('\n');
  return lines.flatMap((line, index): Opportunity[] => {
    const column = line.indexOf('poor') + 1;
    if (column === 0 || line.includes('selfware-ignore') || lines[index - 1]?.includes('selfware-ignore-next-line'))
      return [];
    const range = { startLine: index + 1, startColumn: 1, endLine: index + 1, endColumn: line.length + 1 };
    const id = createHash('sha256').update(`${path}\0${line}`).digest('hex').slice(0, 12);
    return [
      {
        id,
        rule: 'poor-word',
        path,
        range,
        nameRange: { ...range, startColumn: column, endColumn: column + 4 },
        symbol: null,
        severity: 'information',
        impact: 50,
        confidence: 1,
        message: 'A poor word',
        evidence: {},
        recipe: 'enrich',
        ...findRelated(line, range),
      },
    ];
  });
}

/** The related place of a line such as `poor like src/b.ts`. */
function findRelated(line: string, range: Opportunity['range']): Pick<Opportunity, 'related'> {
  const path = / like (\S+)/.exec(line)?.[1];
  return path === undefined ? {} : { related: [{ path, range, message: 'the same' }] };
}

/** The points of a repository with this number of poor lines: one less for each. */
export function createPoints(poor: number): Points {
  const category = { points: 100 - poor, max: 100, unknown: [] };
  const unknown = { points: null, max: 100, unknown: ['not measured'] };
  return {
    ruler: { version: '1', hash: 'x' },
    total: 100 - poor,
    max: 100,
    categories: {
      codeQuality: category,
      testCoverage: unknown,
      safety: unknown,
      performance: unknown,
      maintainability: unknown,
    },
  };
}

/** The possible work on these opportunities, all of which the recipe can improve. */
export function createPossibleWork(opportunities: readonly Opportunity[], files: number): PossibleWork {
  return {
    analysed: true,
    shown: opportunities,
    quiet: [],
    improvable: opportunities,
    turnedDown: [],
    unfinished: 0,
    protected: 0,
    waiting: 0,
    linterFixes: 0,
    linterTrouble: [],
    barrier: null,
    languages: ['typescript'],
    files,
  };
}
