// What a call threw or a promise rejected with, for assertions that read well.
import { expect } from "vitest";
import { type ErrorCode, TidegateError } from "../../../js/index.js";

/** Expects a call to throw a TidegateError with this code and argument. */
export function expectThrow(call: () => unknown, code: ErrorCode, argument?: string): void {
  let thrown: unknown;
  try {
    call();
  } catch (error) {
    thrown = error;
  }
  expectTidegateError(thrown, code, argument);
}

/** Expects a promise to reject with a TidegateError with this code and argument; gives the error back. */
export async function expectReject(
  promise: Promise<unknown>,
  code: ErrorCode,
  argument?: string,
): Promise<TidegateError> {
  const rejected: unknown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  return expectTidegateError(rejected, code, argument);
}

function expectTidegateError(error: unknown, code: ErrorCode, argument?: string): TidegateError {
  if (!(error instanceof TidegateError)) {
    throw new Error(`expected a TidegateError with code ${code}, got ${String(error)}`, { cause: error });
  }
  expect({ code: error.code, argument: error.argument }).toEqual({ code, argument });
  return error;
}
