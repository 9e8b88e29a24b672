// `selfware references [list]|search QUERY`: lists other repositories on this machine, and searches similar code in
// them.

import { SelfwareError } from '../../util/typedError.ts';
import { escapeInvisible, escapeInvisibleLine } from '../../util/visible.ts';
import {
  createCommand,
  createCommandGroup,
  withSession,
  type CommandFactory,
  type CommonOptions,
} from '../invocation.ts';

interface SearchOptions extends CommonOptions {
  readonly top: string;
}

/** The subcommand `references`. */
export const referencesCommand: CommandFactory = () =>
  createCommandGroup('references', 'similar code in other repositories on this machine')
    .addCommand(
      createCommand('list', 'the repositories beside this one, and below the folders in memory.references').action(
        (options: CommonOptions) =>
          withSession({ ...options, searches: false }, async ({ session, json, out, outJson }) => {
            const references = await session.memory.references();
            if (json) return outJson(references);
            if (references.length === 0) out('There are no references. Name folders in the setting memory.references.');
            for (const { folder, found: reason } of references) out(escapeInvisibleLine(`${folder}  ${reason}`));
          }),
      ),
      { isDefault: true },
    )
    .addCommand(
      createCommand('search', 'indexes them, and searches them; nothing of them runs')
        .argument('<query>', 'words or a symbol')
        .option('--top <k>', 'at most this many answers', '5')
        .action((query: string, { top, ...options }: SearchOptions) => {
          const maxResults = Number(top);
          if (!Number.isInteger(maxResults) || maxResults < 1)
            throw new SelfwareError('usage', '--top takes a whole number from 1.');
          return withSession(
            { ...options, searches: false },
            async ({ session, signal, report, json, out, outJson }) => {
              const hits = await session.memory.searchReferences(query, maxResults, { signal, report });
              if (json) return outJson(hits);
              if (hits.length === 0) out('Nothing found.');
              for (const { repository, path, startLine, endLine, text } of hits)
                out(
                  `${escapeInvisibleLine(`${repository}/${path}:${startLine}-${endLine}`)}\n${escapeInvisible(text)}\n`,
                );
            },
          );
        }),
    );
