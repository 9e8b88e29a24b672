// The definitions found in each language.

import { expect, test } from 'vitest';
import type { Language } from '../../../server/src/core/model.ts';
import { shown, symbolsOf } from './support.ts';

const cases: readonly { readonly language: Language; readonly text: string; readonly expected: readonly string[] }[] = [
  {
    language: 'typescript',
    text: `export abstract class Store<T> extends Base {
  private secret(): void {}
  #hidden() {}
  get size(): number { return 1; }
  handler = () => 1;
  abstract read(): T;
}
interface Port { send(message: string): void; readonly name: string }
export type Id = string;
enum Color { Red }
export const limit = 3, other = () => limit;
let counter = 0;
function helper(): void {}
export { helper };
namespace Inner.Deep { export function within() {} }
declare module 'thing' { function declared(): void; }
export default function () {}
const api = { start() {}, stop: () => 1, "quoted": function () {} };
`,
    expected: [
      '+class Store 1-7',
      ' method Store.secret 2-2',
      ' method Store.#hidden 3-3',
      '+method Store.size 4-4',
      '+method Store.handler 5-5',
      '+method Store.read 6-6',
      ' interface Port 8-8',
      ' method Port.send 8-8',
      '+type Id 9-9',
      ' enum Color 10-10',
      '+constant limit 11-11',
      '+function other 11-11',
      ' variable counter 12-12',
      '+function helper 13-13',
      ' module Inner.Deep 15-15',
      '+function Inner.Deep.within 15-15',
      ' module thing 16-16',
      ' function thing.declared 16-16',
      '+function default 17-17',
      ' constant api 18-18',
      ' method api.start 18-18',
      ' method api.stop 18-18',
      ' method api.quoted 18-18',
    ],
  },
  {
    language: 'tsx',
    text: `export const Button = (props: Props) => <b>{props.label}</b>;\nexport default class App extends Component { render() { return <Button />; } }\n`,
    expected: ['+function Button 1-1', '+class App 2-2', '+method App.render 2-2'],
  },
  {
    language: 'javascript',
    text: `(function () {
  function inside() {}
  exports.run = function () {};
  Thing.prototype.go = function () {};
})();
app.use = function use() {};
module.exports = { inside, later };
function later() {}
describe('x', () => { function helper() {} const local = 1; });
`,
    expected: [
      '+function inside 2-2',
      '+function run 3-3',
      ' method Thing.go 4-4',
      '+method app.use 6-6',
      '+function later 8-8',
      ' function helper 9-9',
    ],
  },
  {
    language: 'python',
    text: `LIMIT = 3
_private = 1

@decorated
def run(a, b):
    x = 1
    return x

class Store(Base):
    size: int = 0
    def __init__(self): pass
    async def _hidden(self): pass
    class Inner:
        def deep(self): pass

if LIMIT:
    def conditional(): pass
`,
    expected: [
      '+constant LIMIT 1-1',
      ' variable _private 2-2',
      '+function run 4-7',
      '+class Store 9-14',
      '+method Store.__init__ 11-11',
      ' method Store._hidden 12-12',
      '+class Store.Inner 13-14',
      '+method Store.Inner.deep 14-14',
      '+function conditional 17-17',
    ],
  },
  {
    language: 'rust',
    text: `pub struct Store<T> { a: T }
enum Color { Red }
pub trait Port { fn send(&self); fn other(&self) {} }
impl<T> Store<T> { pub const MAX: i32 = 1; pub fn get(&self) {} fn hidden(&self) {} }
impl<T> Port for Store<T> { fn send(&self) {} }
mod inner { pub fn deep() {} }
mod elsewhere;
#[macro_export]
macro_rules! check { () => {} }
pub type Id = u8;
static COUNT: u8 = 1;
`,
    expected: [
      '+class Store 1-1',
      ' enum Color 2-2',
      '+interface Port 3-3',
      '+method Port.send 3-3',
      '+method Port.other 3-3',
      '+constant Store.MAX 4-4',
      '+method Store.get 4-4',
      ' method Store.hidden 4-4',
      '+method Store.send 5-5',
      ' module inner 6-6',
      '+function inner.deep 6-6',
      '+macro check 9-9',
      '+type Id 10-10',
      ' variable COUNT 11-11',
    ],
  },
  {
    language: 'go',
    text: `package p

func Run(a int) {}
func (s *Store[T]) Get() {}
func (s Store) hidden() {}
type Store struct { A int }
type Port interface { Send() }
type (
	Id = int
	name string
)
const (
	A = 1
	b = 2
)
var V, w = 1, 2
`,
    expected: [
      '+function Run 3-3',
      '+method Store.Get 4-4',
      ' method Store.hidden 5-5',
      '+class Store 6-6',
      '+interface Port 7-7',
      '+type Id 9-9',
      ' type name 10-10',
      '+constant A 13-13',
      ' constant b 14-14',
      '+variable V 16-16',
      ' variable w 16-16',
    ],
  },
  {
    language: 'java',
    text: `package p;
public class Store {
  public static final int MAX = 1;
  private int size;
  public Store() {}
  public void run() {}
  void hidden() {}
  interface Port { void send(); }
  public enum Color { RED; public void paint() {} }
}
record Point(int x) {}
@interface Mark {}
`,
    expected: [
      '+class Store 2-10',
      '+constant Store.MAX 3-3',
      '+method Store.Store 5-5',
      '+method Store.run 6-6',
      ' method Store.hidden 7-7',
      ' interface Store.Port 8-8',
      ' method Store.Port.send 8-8',
      '+enum Store.Color 9-9',
      '+method Store.Color.paint 9-9',
      ' class Point 11-11',
      ' interface Mark 12-12',
    ],
  },
  {
    language: 'c',
    text: `#ifndef A_H
#define A_H
#define LIMIT 3
#define CHECK(x) (x)
static int hidden(int a) { return a; }
int *run(void) { return 0; }
struct Store { int a; };
typedef struct { int b; } Point;
typedef int (*callback)(int);
enum Color { RED };
int counter = 1;
int declared(void);
#endif
`,
    expected: [
      '+constant LIMIT 3-3',
      '+macro CHECK 4-4',
      ' function hidden 5-5',
      '+function run 6-6',
      '+class Store 7-7',
      '+class Point 8-8',
      '+type callback 9-9',
      '+enum Color 10-10',
      '+variable counter 11-11',
      '+function declared 12-12',
    ],
  },
  {
    language: 'cpp',
    text: `namespace outer::inner {
template <class T> class Store : Base {
 public:
  int get() { return 1; }
  Store();
  ~Store();
  bool operator==(int other);
  static int size;
};
}
int outer::inner::Store::put() { return 1; }
extern "C" { void plain() {} }
using Id = int;
namespace { int secret() { return 1; } }
enum class Color { Red };
`,
    expected: [
      '+module outer.inner 1-10',
      '+class outer.inner.Store 2-9',
      '+method outer.inner.Store.get 4-4',
      '+method outer.inner.Store.Store 5-5',
      '+method outer.inner.Store.~Store 6-6',
      '+method outer.inner.Store.operator== 7-7',
      '+method outer.inner.Store.put 11-11',
      '+function plain 12-12',
      '+type Id 13-13',
      ' function secret 14-14',
      '+enum Color 15-15',
    ],
  },
];

test.each(cases)('$language', async ({ language, text, expected }) => {
  expect((await symbolsOf(language, text)).map(shown)).toEqual(expected);
});

test('functions inside a long function are listed, those inside a short one are not', async () => {
  const filler = '  work();\n'.repeat(40);
  expect(
    (await symbolsOf('typescript', 'function short() {\n  function inner() {}\n}\n')).map(({ path }) => path),
  ).toEqual(['short']);
  expect(
    (await symbolsOf('typescript', `function long() {\n  function inner() {}\n${filler}}\n`)).map(({ path }) => path),
  ).toEqual(['long', 'long.inner']);
});

test('ranges count UTF-16 units from 1', async () => {
  const [symbol] = await symbolsOf('typescript', '/* 😀 */ function wörk() {}');
  expect(symbol?.nameRange).toEqual({ startLine: 1, startColumn: 19, endLine: 1, endColumn: 23 });
});
