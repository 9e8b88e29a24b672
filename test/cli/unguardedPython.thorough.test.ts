// Missing tests of Python on the whole way: found with pytest in the sandbox, proposed in its style, and shown to
// notice what no other test notices.

import { homedir } from 'node:os';
import { expect, test } from 'vitest';
import { createCommandLine } from '../helpers/commandLine.ts';
import { createTemporaryRepository } from '../helpers/temporaryRepository.ts';

const FILES = {
  'pyproject.toml':
    '[project]\nname = "shop"\n\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\npythonpath = ["."]\n',
  'shop/__init__.py': '',
  'shop/amounts.py':
    'LIMIT = 3\n\n\ndef clamp(value, most):\n    if value > most:\n        return most\n    return value\n',
  // The names of its functions are those of the language, which a test file must not lose.
  'shop/words.py':
    'def max(words: list[str]) -> int:\n    return len(words) + 1\n\n\ndef first(words: list[str]) -> str:\n    return words[0]\n',
  // Its first call writes a file, so no test may begin with any of its calls.
  'shop/kept.py':
    'made = []\n\n\ndef twice(value: int) -> int:\n    if not made:\n        made.append(1)\n        try:\n            open("kept.txt", "w").close()\n        except OSError:\n            pass\n    return value * 2\n',
  'tests/test_kept.py': 'from shop import kept\n\n\ndef test_made():\n    assert kept.made is not None\n',
  'tests/test_words.py': 'from shop.words import first\n\n\ndef test_first():\n    assert first(["a"]) == "a"\n',
  'tests/test_amounts.py': 'from shop.amounts import clamp\n\n\ndef test_small():\n    assert clamp(3, 10) == 3\n',
};

test('a mistake that pytest does not notice is found, and the proposed test notices it', async () => {
  const repository = await createTemporaryRepository(FILES, { git: true });
  const selfware = await createCommandLine(repository.dir);
  // A Python in the person's own folder stays readable in the sandbox.
  const env = { HOME: homedir() };
  const json = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await selfware.run([...args, '--json'], { env });
    expect(stderr).not.toContain('selfware: ');
    return { code, value: JSON.parse(stdout) };
  };
  try {
    const { value, code } = await json('unguarded', '--time', '200');
    expect(code).toBe(1);
    expect(value).toMatchObject({
      found: [
        { path: 'shop/amounts.py', name: 'clamp', startLine: 4 },
        { path: 'shop/words.py', name: 'max' },
      ],
      undone: 0,
    });
    const [{ id, mistakes }, shadowing] = value.found;
    expect(mistakes[0].call).toMatch(/^clamp\(/);
    const again = await json('unguarded');
    expect(again.value).toMatchObject({ undone: 0, mutants: 0 });

    const proposed = await json('propose', id);
    expect(proposed.value).toMatchObject({
      status: 'verified',
      title: 'Add a test for clamp',
      claim: { kind: 'tests', holds: true },
      edits: [{ path: 'tests/test_amounts.py', after: expect.stringContaining('def test_clamp_results():\n') }],
    });
    // Nobody has to look at it before an unattended run keeps it.
    const { evidence } = proposed.value.verdicts.find(({ gate }: { readonly gate: string }) => gate === 'integrity');
    expect(evidence).toMatchObject({ onlyAppends: 1 });
    const claim = proposed.value.verdicts.find(({ gate }: { readonly gate: string }) => gate === 'claim');
    expect(claim).toMatchObject({ outcome: 'passed' });
    expect(claim.evidence).not.toHaveProperty('outside');

    expect(shadowing.test.added).toContain('from shop.words import max as words_max\n');
    expect(shadowing.test.added).toMatch(/assert words_max\(\[[^\]]+\]\) == \d/);
  } finally {
    await selfware.dispose();
    await repository.dispose();
  }
});
