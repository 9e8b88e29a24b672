// `selfware analyse [PATH…]`: opportunities, best first.

import { readFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { packageRoot } from '../../app/places.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { command, withSession, type CommandFactory, type CommonOptions } from '../invocation.ts';
import { sarifRules } from '../sarifRules.ts';
import { count, formatCounts, formatOpportunity } from '../writers/human.ts';
import { opportunityJson } from '../writers/json.ts';
import { sarif } from '../writers/sarif.ts';

interface AnalyseOptions extends CommonOptions {
  readonly format: string;
}

export const analyseCommand: CommandFactory = (setExitCode) =>
  command('analyse', 'opportunities: where the repository could be better')
    .argument('[paths...]', 'files or folders')
    .option('--format <format>', 'human, json or sarif', 'human')
    .action(async (paths: readonly string[], options: AnalyseOptions) => {
      const format = options.json ? 'json' : options.format;
      if (!['human', 'json', 'sarif'].includes(format)) throw new SelfwareError('usage', '--format is human, json or sarif.');
      await withSession({ ...options, json: format !== 'human' }, async ({ session, signal, report, rootDir, colors, out, outJson }) => {
        await session.analyse({ signal, report });
        const found = (await session.opportunities()).filter(({ path }) => paths.length === 0 || paths.some((wanted) => within(path, rootDir, wanted)));
        if (found.length > 0) setExitCode(1);
        if (format === 'json') return outJson(found.map(opportunityJson));
        if (format === 'sarif') return outJson(sarif(found.map((opportunity) => ({ opportunity })), sarifRules(), programVersion()));
        for (const opportunity of found) out(formatOpportunity(opportunity, colors));
        out(`${count(found.length, 'opportunity').replace('opportunitys', 'opportunities')}${found.length ? `:\n${formatCounts(found)}` : '.'}`);
      });
    });

/** True when `path` (relative to the root) is `wanted` (as typed) or lies in it. */
export function within(path: string, rootDir: string, wanted: string): boolean {
  const place = relative(rootDir, resolve(rootDir, wanted)).split(sep).join('/');
  return place === '' || path === place || path.startsWith(`${place}/`);
}

function programVersion(): string {
  return (JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string }).version;
}
