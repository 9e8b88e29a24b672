// Reads the open issues with a label through the GitHub command line, at a person's request.

import { z } from 'zod';
import { SelfwareError } from '../../util/typedError.ts';
import { runGithubCli, type GithubQuestion } from './githubCli.ts';

/** An open issue on GitHub. */
export interface GithubIssue {
  readonly number: number;
  readonly title: string;
  /** Markdown; may be empty. */
  readonly body: string;
  readonly author: string;
}

const issuesSchema = z.array(
  z.object({
    number: z.int(),
    title: z.string(),
    body: z.string().nullable(),
    author: z.object({ login: z.string() }).nullable(),
  }),
);

/**
 * At most `limit` open issues with a label, sorted by number. Throws `unavailable` if `gh` is missing or cannot start,
 * `writeFailed` if it fails, and `damaged` if its answer has another form.
 */
export async function findOpenIssues(
  question: Pick<GithubQuestion, 'rootDir' | 'env' | 'signal'>,
  label: string,
  limit: number,
): Promise<readonly GithubIssue[]> {
  const answer = await runGithubCli({
    ...question,
    args: ['issue', 'list', `--label=${label}`, '--state=open', `--limit=${limit}`, '--json=number,title,body,author'],
    input: '',
    failure: 'gh did not list the issues',
    action: 'Run `gh auth status` and `gh issue list` in this folder.',
  });
  const issues = parseIssues(answer).map(({ number, title, body, author }) => ({
    number,
    title,
    body: body ?? '',
    author: author?.login ?? 'unknown',
  }));
  return issues.toSorted((a, b) => a.number - b.number);
}

function parseIssues(answer: string): z.infer<typeof issuesSchema> {
  try {
    return issuesSchema.parse(JSON.parse(answer === '' ? '[]' : answer));
  } catch (cause) {
    throw new SelfwareError('damaged', 'The answer of `gh` about issues was not understood.', {
      action: 'Update `gh`.',
      cause,
    });
  }
}
