// The Go program that makes the calls inside a test program, and the lines that it writes. It belongs to the package of
// the functions, so that it can use all of their names.

import { createCallCode, type NameSpelling } from './code.ts';
import type { GoPackagePlan } from './plan.ts';

/** Environment variable with the path of the file to which a `CallLine` is appended for each call. */
export const CALLS_FILE = 'SELFWARE_CALLS';
/** Environment variable with the indexes of the calls to make, in this order, separated by commas. */
export const CALLS_WANTED = 'SELFWARE_CALLS_WANTED';
/** Environment variable with the number of times that each call is made at most. All results must be equal. */
export const CALLS_TIMES = 'SELFWARE_CALLS_TIMES';
/** Name of the test that makes the calls. */
export const CALLS_TEST = 'TestSelfwareCalls';

/** A value that a call returns. */
export interface GoResult {
  /**
   * `value`: `text` is an expression of a string, boolean or number. `list`: `text` is an expression of a slice, an
   * array or a map of such values. `text`: `text` is an expression of the result of the value's method `String`.
   * `error`: `text` is the message. `nil`: `text` is `nil`. `other`: the value cannot be written, and `text` is its
   * type.
   */
  readonly is: 'value' | 'list' | 'text' | 'error' | 'nil' | 'other';
  readonly text: string;
}

/** One line of the results. `panics`: the message. `late`: the call took too long, and the program ended itself. */
export type CallLine =
  | { readonly call: number; readonly results: readonly GoResult[] }
  | { readonly call: number; readonly panics: string }
  | { readonly call: number; readonly late: true }
  /** The call has returned different results. */
  | { readonly call: number; readonly unsteady: true }
  /** A value for the call could not be created. */
  | { readonly call: number; readonly unmade: true };

/** The program in parts. The line of each call is known, so that calls which do not compile can be removed. */
export interface CallsProgram {
  readonly head: string;
  /** One line for each call. */
  readonly calls: readonly string[];
  readonly tail: string;
}

/** The program that makes the calls of all subjects of the plan, one after the other. */
export function createCallsProgram(plan: Pick<GoPackagePlan, 'packageName' | 'subjects' | 'must'>): CallsProgram {
  const names: NameSpelling = { of: (name) => name, must: () => undefined };
  const calls = plan.subjects.flatMap((subject) =>
    subject.calls.map((call) => {
      let count = 0;
      const { before, expression } = createCallCode(subject, call, names, () => `selfwareValue${(count += 1)}`);
      const creations = before
        .map(({ variable, made: text }) => `${variable}, err := ${text}; if err != nil { return nil }; `)
        .join('');
      return `func() []interface{} { ${creations}return selfwareResults(${expression}) },`;
    }),
  );
  return { head: PROGRAM_HEAD.replace('PACKAGE', plan.packageName), calls, tail: PROGRAM_TAIL };
}

const PROGRAM_HEAD = `package PACKAGE

import (
	selfwareJSON "encoding/json"
	selfwareFmt "fmt"
	selfwareMath "math"
	selfwareOS "os"
	selfwareReflect "reflect"
	selfwareSort "sort"
	selfwareStrconv "strconv"
	selfwareStrings "strings"
	selfwareTesting "testing"
	selfwareTime "time"
)

var selfwareCalls = []func() []interface{}{
`;

const PROGRAM_TAIL = `
}

func ${CALLS_TEST}(t *selfwareTesting.T) {
	file, err := selfwareOS.OpenFile(selfwareOS.Getenv("${CALLS_FILE}"), selfwareOS.O_APPEND|selfwareOS.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range selfwareStrings.Split(selfwareOS.Getenv("${CALLS_WANTED}"), ",") {
		number, _ := selfwareStrconv.Atoi(word)
		done := make(chan map[string]interface{}, 1)
		go func() { done <- selfwareOften(number) }()
		var line map[string]interface{}
		select {
		case line = <-done:
		case <-selfwareTime.After(2 * selfwareTime.Second):
			line = map[string]interface{}{"late": true}
		}
		line["call"] = number
		text, _ := selfwareJSON.Marshal(line)
		file.Write(append(text, '\\n'))
		if line["late"] != nil {
			selfwareOS.Exit(3)
		}
	}
}

func selfwareOften(number int) map[string]interface{} {
	line := selfwareOne(number)
	times, _ := selfwareStrconv.Atoi(selfwareOS.Getenv("${CALLS_TIMES}"))
	for start, time := selfwareTime.Now(), 1; time < times && selfwareTime.Since(start) < selfwareTime.Second; time++ {
		if !selfwareReflect.DeepEqual(line, selfwareOne(number)) {
			return map[string]interface{}{"unsteady": true}
		}
	}
	return line
}

func selfwareOne(number int) (line map[string]interface{}) {
	defer func() {
		if problem := recover(); problem != nil {
			line = map[string]interface{}{"panics": selfwareFmt.Sprint(problem)}
		}
	}()
	results := selfwareCalls[number]()
	if results == nil {
		return map[string]interface{}{"unmade": true}
	}
	return map[string]interface{}{"results": results}
}

func selfwareResults(results ...interface{}) []interface{} {
	told := make([]interface{}, len(results))
	for at, result := range results {
		is, text := selfwareResult(result)
		told[at] = map[string]string{"is": is, "text": text}
	}
	return told
}

func selfwareResult(result interface{}) (string, string) {
	if result == nil {
		return "nil", "nil"
	}
	value := selfwareReflect.ValueOf(result)
	switch value.Kind() {
	case selfwareReflect.Ptr, selfwareReflect.Slice, selfwareReflect.Map, selfwareReflect.Interface:
		if value.IsNil() {
			return "nil", "nil"
		}
	}
	if problem, is := result.(error); is {
		return "error", problem.Error()
	}
	if text, is := selfwareValue(value); is {
		return "value", text
	}
	if list, is := selfwareList(value); is {
		return "list", list
	}
	if named, is := result.(selfwareFmt.Stringer); is {
		return "text", selfwareStrconv.Quote(named.String())
	}
	return "other", value.Type().String()
}

func selfwareValue(value selfwareReflect.Value) (string, bool) {
	switch value.Kind() {
	case selfwareReflect.String:
		return selfwareStrconv.Quote(value.String()), true
	case selfwareReflect.Bool:
		return selfwareStrconv.FormatBool(value.Bool()), true
	case selfwareReflect.Int, selfwareReflect.Int8, selfwareReflect.Int16, selfwareReflect.Int32, selfwareReflect.Int64:
		return selfwareStrconv.FormatInt(value.Int(), 10), true
	case selfwareReflect.Uint, selfwareReflect.Uint8, selfwareReflect.Uint16, selfwareReflect.Uint32,
		selfwareReflect.Uint64:
		return selfwareStrconv.FormatUint(value.Uint(), 10), true
	case selfwareReflect.Float32, selfwareReflect.Float64:
		// Other numbers may differ in their last digit between processors.
		if value.Float() != selfwareMath.Trunc(value.Float()) || selfwareMath.Abs(value.Float()) > 1<<53 {
			return "", false
		}
		return selfwareStrconv.FormatFloat(value.Float(), 'g', -1, value.Type().Bits()), true
	}
	return "", false
}

func selfwareList(value selfwareReflect.Value) (string, bool) {
	name := value.Type().String()
	// A named type may be unknown where the test stands.
	if value.Type().Name() != "" || selfwareStrings.Contains(name, ".") {
		return "", false
	}
	parts := []string{}
	switch value.Kind() {
	case selfwareReflect.Slice, selfwareReflect.Array:
		if name == "[]uint8" {
			return "[]byte(" + selfwareStrconv.Quote(string(value.Bytes())) + ")", true
		}
		for at := 0; at < value.Len(); at++ {
			text, is := selfwareValue(value.Index(at))
			if !is {
				return "", false
			}
			parts = append(parts, text)
		}
	case selfwareReflect.Map:
		for _, key := range value.MapKeys() {
			text, isKey := selfwareValue(key)
			other, is := selfwareValue(value.MapIndex(key))
			if !is || !isKey {
				return "", false
			}
			parts = append(parts, text+": "+other)
		}
		selfwareSort.Strings(parts)
	default:
		return "", false
	}
	return name + "{" + selfwareStrings.Join(parts, ", ") + "}", true
}
`;
