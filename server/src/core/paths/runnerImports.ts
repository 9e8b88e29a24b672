// Decides whether a text imports a test runner, which makes it a test whatever its name is. Also recognises modules of
// test libraries.

/** Names of modules of test runners for scripts, as alternatives of a regular expression. */
const RUNNERS_SOURCE =
  'vitest|@jest/globals|node:test|mocha|ava|uvu|tap|tape|bun:test|@playwright/test|cypress|@std/testing/bdd|jsr:@std/testing';
/**
 * Patterns that match lines which import a test runner, one for each language or family of languages. Product code
 * rarely has such a line.
 */
const RUNNER_IMPORT_PATTERNS: readonly RegExp[] = [
  new RegExp(
    `^(?:import\\b[^'"\\n]{0,500}|\\}[ ]from |const\\b[^'"\\n]{0,500}require\\()['"](?:${RUNNERS_SOURCE})['"]`,
    'm',
  ),
  /^(?:import (?:pytest|unittest)\b|from (?:pytest|unittest|hypothesis)\b)/m,
  /^[ \t]{0,20}(?:global )?using (?:static )?(?:Xunit|NUnit|Microsoft\.VisualStudio\.TestTools)\b/m,
  /^import (?:static )?(?:org\.junit|org\.testng|kotlin\.test|io\.kotest|org\.scalatest|munit|spock)\b/m,
  /^require ['"](?:minitest|rspec|test\/unit)/m,
  /^import ['"]package:(?:test|flutter_test)\//m,
  /^(?:@testable )?import (?:XCTest|Testing|Quick|Nimble)\b/m,
  /^use PHPUnit\\/m,
  /^[ \t]{0,20}#\[cfg\(test\)\]/m,
  /^[ \t]{0,20}use ExUnit\.Case\b/m,
];

/** True if a line of the text imports a test runner of one of the common languages. */
export function importsTestRunner(text: string): boolean {
  return RUNNER_IMPORT_PATTERNS.some((line) => line.test(text));
}

/** Matches the modules that only run tests or compare values. */
const LIBRARY_PATTERN =
  /^(?:(?:node:)?(?:test|assert(?:\/strict)?)|vitest|@jest\/globals|mocha|chai|ava|uvu(?:\/assert)?|tap|tape|bun:test|expect|expect-type)$/;

/** True for a module that only runs tests or compares values. */
export function isTestLibrary(specifier: string): boolean {
  return LIBRARY_PATTERN.test(specifier);
}
