// A client of Cloudflare's HTTP interface to D1 (developers.cloudflare.com/api/resources/d1/subresources/database/methods/raw): one request is
// a batch of statements, which D1 carries out in one transaction or not at all. Replies are not trusted, as those of other servers.
import * as v from 'valibot';
import { readText } from '../network/blocking-http.ts';
import { checkStatus, withoutToken, type Server } from '../network/checked-reply.ts';
import { checkReply, parseReply } from '../network/reply-json.ts';
import { malformed } from '../hrana/malformed.ts';
import type { RemoteSql, ServerError } from '../hrana/messages.ts';
import type { Http } from '../hrana/hrana-client.ts';

/** D1 has values of 2 MB at most; JSON may make up to six bytes of one. */
const MAX_REPLY_BYTES = 64 << 20;

const count = v.nullish(v.pipe(v.number(), v.safeInteger(), v.minValue(0)), 0);

const ResultSchema = v.object({
  success: v.literal(true),
  results: v.object({ columns: v.array(v.string()), rows: v.array(v.array(v.unknown())) }),
  meta: v.object({ rows_read: count, rows_written: count, size_after: count, last_row_id: v.nullish(v.number(), 0) }),
});
/** Result of one statement. */
export type D1Result = v.InferOutput<typeof ResultSchema>;

const ResultsSchema = v.array(ResultSchema);

const ErrorsSchema = v.array(v.object({ code: v.nullish(v.number()), message: v.string() }));
const ReplySchema = v.object({
  success: v.boolean(),
  errors: v.nullish(ErrorsSchema, []),
  result: v.nullish(v.unknown()),
});

/** D1 did not carry out the batch. */
export class D1Refusal extends Error {
  readonly error: ServerError;

  constructor(error: ServerError) {
    super(error.message);
    this.error = error;
  }
}

export class D1Client {
  readonly #http: Http;
  readonly #server: Server;
  readonly #look: () => void;

  /** @param look called every few milliseconds while waiting; what it throws ends the request */
  constructor(http: Http, server: Server, look: () => void) {
    this.#http = http;
    this.#server = server;
    this.#look = look;
  }

  /** @throws D1Refusal, ServerRefusal, AppError when there is no result of every statement */
  batch(statements: readonly Pick<RemoteSql, 'sql' | 'args'>[]): readonly D1Result[] {
    const { token, url } = this.#server;
    const items = statements.map(({ sql, args }) => `{"sql":${JSON.stringify(sql)},"params":[${args.join(',')}]}`);
    const body = `{"batch":[${items.join(',')}]}`;
    const headers = {
      'content-type': 'application/json',
      ...(token !== null && { authorization: `Bearer ${token}` }),
    };
    const request = { url: new URL('raw', url).href, method: 'POST', headers, body } as const;
    const reply = this.#http.send(request, { look: this.#look });
    checkStatus(reply, body, { token, readError: readD1Error });
    const { success, errors, result } = checkReply(ReplySchema, parseReply(readText(reply, MAX_REPLY_BYTES)));
    if (!success) throw new D1Refusal(withoutToken(toServerError(errors), token));
    const results = checkReply(ResultsSchema, result, 'the result');
    if (results.length !== statements.length) throw malformed('it answers another number of statements');
    return results;
  }
}

/** Null when there is no readable error. */
function readD1Error(text: string): ServerError | null {
  try {
    const reply = v.safeParse(ReplySchema, JSON.parse(text), { abortEarly: true });
    return reply.success && !reply.output.success ? toServerError(reply.output.errors) : null;
  } catch {
    return null;
  }
}

/** Cloudflare's number of errors of the database. */
const OF_DATABASE = 7500;
/** SQLite's message, where the error is, and SQLite's names of it. */
const FORM = /^(?:D1_ERROR: )?(.*?)(?: at offset \d+)?(?:: (SQLITE_[A-Z]+)(?: \(extended: (SQLITE_[A-Z_]+)\))?)?$/s;

/**
 * Keeps SQLite's code, Cloudflare's number, or no code if the database reports none. Places in the text are left out: they are of
 * the text that was sent, which a person has not written.
 */
function toServerError([first]: v.InferOutput<typeof ErrorsSchema>): ServerError {
  if (first === undefined) return { message: '', code: '' };
  // oxlint-disable-next-line sidelite/text-decisions -- there is no other field for SQLite's codes
  const [, message = '', code, extended] = FORM.exec(first.message) ?? [];
  if (code !== undefined) return { message, code: extended ?? code };
  return { message: first.message, code: first.code === OF_DATABASE ? '' : String(first.code ?? '') };
}
