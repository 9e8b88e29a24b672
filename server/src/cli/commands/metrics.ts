// `selfware metrics [PATH…]`: figures per function.

import { command, withSession, type CommandFactory, type CommonOptions } from '../invocation.ts';
import { within } from './analyse.ts';

export const metricsCommand: CommandFactory = () =>
  command('metrics', 'figures per function')
    .argument('[paths...]', 'files or folders')
    .action((paths: readonly string[], options: CommonOptions) =>
      withSession(options, async ({ session, signal, report, rootDir, json, out, outJson }) => {
        await session.analyse({ signal, report });
        const functions = (await session.metrics()).filter(({ path }) => paths.length === 0 || paths.some((wanted) => within(path, rootDir, wanted)));
        if (json) return outJson(functions);
        out('cyclomatic cognitive nesting statements parameters  function');
        for (const f of functions.toSorted((a, b) => b.cognitive - a.cognitive || a.path.localeCompare(b.path))) {
          out(`${[f.cyclomatic, f.cognitive, f.nesting, f.statements, f.parameters].map((value, i) => String(value).padStart([10, 9, 7, 10, 10][i] ?? 8)).join(' ')}  ${f.path}:${f.line} ${f.name}`);
        }
      }),
    );
