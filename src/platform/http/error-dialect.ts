/** Error bodies of another protocol, for routes whose clients know only that protocol. */
import type { Context } from 'koa';
import type { z } from 'zod';
import type { ErrorCode } from '../../base/error-codes.ts';

/** An error before it is written. */
export interface ErrorFacts {
  /** The status that the API has for it. */
  readonly status: number;
  readonly code: ErrorCode;
  /** A sentence for people. */
  readonly message: string;
  /** The field of the request that is wrong; null when no single one is. */
  readonly field: string | null;
  /** The type of the first issue of a validation; null for other errors. */
  readonly issue: string | null;
}

interface Translation {
  readonly dialect: ErrorDialect;
  /** The origin of this API, for links. */
  readonly origin: string;
}

/** The form in which a protocol writes errors. */
export interface ErrorDialect {
  /** The body, a named schema. */
  readonly schema: z.ZodType;
  readonly example: unknown;
  /** Converts the status of an error to the protocol's; the code is empty for an error that has several. */
  toStatus(status: number, code: string): number;
  write(
    error: ErrorFacts,
    origin: string,
  ): {
    readonly body: unknown;
    readonly headers: Readonly<Record<string, string>>;
  };
}

/** Makes the errors of a request be written in a dialect. */
export function useDialect(ctx: Pick<Context, 'state'>, translation: Translation): void {
  ctx.state['errorDialect'] = translation;
}

/** Finds the dialect of a request; undefined for the shapes of the API. */
export const findDialect = (ctx: Pick<Context, 'state'>): Translation | undefined =>
  ctx.state['errorDialect'] as Translation | undefined;
