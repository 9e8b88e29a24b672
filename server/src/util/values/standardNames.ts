// Recognises names that the language, its libraries or browsers declare, and that therefore mean the same in every
// program.

/** Objects of the standard library whose properties count as standard. */
const STANDARD_OWNERS: readonly object[] = [
  Array,
  Array.prototype,
  String,
  String.prototype,
  Number,
  Number.prototype,
  BigInt,
  Boolean.prototype,
  Object,
  Object.prototype,
  Function.prototype,
  Map.prototype,
  Set.prototype,
  WeakMap.prototype,
  WeakSet.prototype,
  Promise,
  Promise.prototype,
  RegExp.prototype,
  Date,
  Date.prototype,
  Symbol,
  Error.prototype,
  Math,
  JSON,
  Reflect,
  Uint8Array,
  Uint8Array.prototype,
  ArrayBuffer.prototype,
];

/** Names of the properties of `STANDARD_OWNERS`. */
const standardProperties: ReadonlySet<string> = new Set(
  STANDARD_OWNERS.flatMap((owner) => Object.getOwnPropertyNames(owner)),
);
/** Names of the globals of the engine that runs this code. */
const standardGlobals: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(globalThis));

/** True for a property or method that one of `STANDARD_OWNERS` has, such as `indexOf`. */
export function isStandardProperty(name: string): boolean {
  return standardProperties.has(name);
}

/** True for a global of the engine that runs this code, such as `parseInt`. */
export function isStandardGlobal(name: string): boolean {
  return standardGlobals.has(name);
}

/** Names that TypeScript, Node or browsers declare, but that the engine which runs this code may not have. */
const OTHER_DECLARED_NAMES: ReadonlySet<string> = new Set(
  `Partial Required Readonly Record Pick Omit Exclude Extract NonNullable Parameters ConstructorParameters ReturnType
  InstanceType ThisType Awaited NoInfer Uppercase Lowercase Capitalize Uncapitalize PromiseLike ArrayLike Iterable
  Iterator AsyncIterable AsyncIterator IterableIterator AsyncIterableIterator Generator AsyncGenerator
  AsyncGeneratorFunction GeneratorFunction ReadonlyArray ReadonlyMap ReadonlySet PropertyKey PropertyDescriptor
  PropertyDescriptorMap TemplateStringsArray RegExpExecArray RegExpMatchArray IArguments NodeJS ArrayBufferLike
  ArrayBufferView BufferSource PromiseSettledResult PromiseFulfilledResult PromiseRejectedResult ErrorOptions
  ClassDecorator PropertyDecorator MethodDecorator ParameterDecorator Intl Disposable AsyncDisposable
  window document location history localStorage sessionStorage self top parent frames screen alert confirm prompt
  requestAnimationFrame cancelAnimationFrame requestIdleCallback getComputedStyle matchMedia customElements
  Window Document DocumentFragment Element Node NodeList NodeListOf Text Attr Comment ShadowRoot Range Selection
  HTMLElement HTMLInputElement HTMLButtonElement HTMLAnchorElement HTMLDivElement HTMLSpanElement HTMLFormElement
  HTMLImageElement HTMLCanvasElement HTMLVideoElement HTMLAudioElement HTMLSelectElement HTMLOptionElement
  HTMLTextAreaElement HTMLLabelElement HTMLTableElement HTMLIFrameElement HTMLScriptElement HTMLStyleElement
  HTMLLinkElement HTMLTemplateElement HTMLCollection SVGElement SVGSVGElement MathMLElement
  MouseEvent KeyboardEvent PointerEvent TouchEvent WheelEvent FocusEvent InputEvent UIEvent DragEvent ClipboardEvent
  SubmitEvent PopStateEvent HashChangeEvent StorageEvent ProgressEvent ErrorEvent AnimationEvent TransitionEvent
  EventListener EventListenerOrEventListenerObject AddEventListenerOptions MutationObserver IntersectionObserver
  ResizeObserver XMLHttpRequest FileReader FileList DOMParser DOMRect DOMStringMap DOMTokenList CSSStyleDeclaration
  CSSStyleSheet Worker SharedWorker ServiceWorker RequestInit RequestInfo ResponseInit HeadersInit BodyInit Storage
  AudioContext MediaStream ImageData CanvasRenderingContext2D WebGLRenderingContext WebGL2RenderingContext
  IDBDatabase IndexedDB Blob File
  require module exports __dirname __filename arguments
  undefined null true false this super void never unknown any string number boolean bigint symbol object function
  async await yield return throw new delete typeof instanceof in of let const var class interface type enum extends
  implements import export default if else for while do switch case break continue try catch finally
  readonly public private protected static abstract override declare namespace keyof infer is asserts satisfies as
  prototype constructor length name message cause stack`.split(/\s+/),
);

/**
 * True for a name that the language, its library, Node or browsers declare, and for the name of a property of a
 * standard object.
 */
export function isDeclaredByLanguage(name: string): boolean {
  return isStandardGlobal(name) || isStandardProperty(name) || OTHER_DECLARED_NAMES.has(name);
}
