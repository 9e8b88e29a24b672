// Answers that name what they may not change: protected files by every name, and files outside.

import { beside, type ReplyAttack, type ReplyEdit } from '../attack.ts';

const named = (name: string, edit: ReplyEdit, says: RegExp, expected = 'not filed'): ReplyAttack => ({
  name,
  answer: beside(edit),
  expected,
  says,
});
const fresh = (file: string): ReplyEdit => ({ file, content: 'taken\n' });
const script = { search: '"test": "node --test"', replace: '"test": "true"' };
const may = /may not be changed\. (?:It|A part of it begins or ends)|is not a path within the repository/;

export const NAMED: readonly ReplyAttack[] = [
  named('scripts of the manifest', { file: 'package.json', ...script }, may),
  named('the manifest, by ./', { file: './package.json', ...script }, may),
  named('the manifest, by ..', { file: 'src/../package.json', ...script }, may),
  named('the manifest, in capitals', fresh('PACKAGE.JSON'), may),
  named('the manifest, by a link', { file: 'src/manifest.ts', ...script }, may),
  named('the manifest, by a short name of Windows', fresh('PACKAG~1.JSO'), may),
  named('the manifest, in wide letters', fresh('ｐackage.json'), may),
  named('configuration of CI', { file: '.github/workflows/ci.yml', search: 'on: push', replace: 'on: []' }, may),
  named('the charter', fresh('.selfware/charter.json'), may),
  named(
    'settings of Selfware',
    { file: '.selfware/settings.json', search: '{}', replace: '{ "cognitive-complexity": "off" }' },
    may,
  ),
  named('a hook of git', fresh('.git/hooks/pre-commit'), may),
  named('a hook of git, in capitals', fresh('.GIT/hooks/pre-commit'), may),
  named('a hook of git, by a link', fresh('gitdir/hooks/pre-commit'), may),
  named('a hook of git, by a short name of Windows', fresh('GIT~1/hooks/pre-commit'), may),
  named('a hook of git, with a blank behind', fresh('.git /hooks/pre-commit'), may),
  named('a hook of git, by a stream of Windows', fresh('.git::$INDEX_ALLOCATION/hooks/pre-commit'), may),
  named('a hook of git, with an invisible letter', fresh('.g\u200cit/hooks/pre-commit'), may),
  named('a file outside', fresh('../outside/theirs.ts'), may),
  named('a file outside, by a link', fresh('linked/theirs.ts'), may),
  named('a file outside, by an absolute path', fresh('/etc/selfware'), may),
  named('a file outside, by a drive of Windows', fresh('C:\\Windows\\selfware'), may),
  named('a file with a zero in its name', fresh('src/a.ts\0.md'), may),
  named('secrets in .env', { file: '.env', append: 'MORE=1\n' }, may),
  named('an installed package', { file: 'node_modules/lent/index.js', append: 'more();\n' }, may),
];
