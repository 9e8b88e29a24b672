// `selfware search QUERY`: searches the index by words, names and meaning. With --stdin, the process reads one query
// per line, as a JSON string, and writes the results of each as a JSON array on one line.

import { createInterface } from 'node:readline';
import { SelfwareError } from '../../util/typedError.ts';
import { escapeInvisibleLine } from '../../util/visible.ts';
import { findBestLine } from '../writers/tellingLine.ts';
import { createCommand, withSession, type CommandFactory, type CommonOptions } from '../invocation.ts';

interface SearchOptions extends CommonOptions {
  readonly top: string;
  readonly stdin?: boolean;
}

/** The subcommand `search`. */
export const searchCommand: CommandFactory = () =>
  createCommand('search', 'searches the repository by words and by meaning')
    .argument('[query]', 'words or a symbol')
    .option('--top <k>', 'at most this many answers', '10')
    .option('--stdin', 'reads one JSON string per line, writes one JSON array per line')
    .action(async (query: string | undefined, options: SearchOptions) => {
      const top = Number(options.top);
      if (!Number.isInteger(top) || top < 1) throw new SelfwareError('usage', '--top takes a whole number from 1.');
      if (query === undefined && !options.stdin) throw new SelfwareError('usage', 'Give a query, or --stdin.');
      await withSession(options, async ({ session, signal, report, json, colors, out, outJson }) => {
        await session.memory.index({ signal, report });
        if (options.stdin) {
          for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity, signal }))
            if (line.trim()) outJson(await session.memory.search(parseQuery(line), top, signal));
          return;
        }
        const hits = await session.memory.search(query ?? '', top, signal);
        if (json) outJson(hits);
        else if (hits.length === 0) out('Nothing found.');
        else
          for (const hit of hits) {
            const place = escapeInvisibleLine(`${hit.path}:${hit.startLine}-${hit.endLine}`);
            out(`${colors.cyan(place)}${hit.symbol === null ? '' : ` ${escapeInvisibleLine(hit.symbol)}`}`);
            const text = await session.memory.text(hit.path);
            const line = text === null ? null : findBestLine(text, hit, query ?? '');
            if (line !== null) out(`  ${colors.dim(`${line.number}:`)} ${escapeInvisibleLine(line.text)}`);
          }
      });
    });

/** The query in a line of standard input. Throws `usage` if the line is not JSON. */
function parseQuery(line: string): string {
  try {
    return String(JSON.parse(line));
  } catch (error) {
    throw new SelfwareError('usage', 'Each line of standard input must be one JSON string.', { cause: error });
  }
}
