import type { Request, RequestHandler, Response } from 'express';
import { Refusal } from '../../kernel/refusal.ts';

/** Reads the body of a request by a reader of body-parser; what it does not take is refused in the rail's own words. */
export async function readBody(
  req: Request,
  res: Response,
  reader: RequestHandler,
  largestBytes: number,
): Promise<void> {
  await new Promise<void>((done, failed) => {
    void reader(req, res, (error?: unknown) => (error ? failed(refusalOf(error, largestBytes)) : done()));
  });
}

/** body-parser's errors carry the status that they mean; those without are faults. */
function refusalOf(error: unknown, largestBytes: number): unknown {
  if (!(error instanceof Error)) return error;
  const type = 'type' in error ? error.type : null;
  const status = 'status' in error ? error.status : null;
  if (type === 'encoding.unsupported')
    return new Refusal(
      'unsupported_media_type',
      'The Content-Encoding is not supported: send gzip, br, deflate or none',
    );
  if (type === 'charset.unsupported')
    return new Refusal('unsupported_media_type', 'The charset is not supported: send UTF-8');
  if (type === 'parameters.too.many') return new Refusal('payload_too_large', 'The form has too many fields');
  if (type === 'request.size.invalid' || type === 'request.aborted')
    return new Refusal('malformed_request', 'The body does not have the length given in Content-Length');
  if (status === 413) return new Refusal('payload_too_large', `The body is larger than ${largestBytes / 1024} KiB`);
  if (status === 415) return new Refusal('unsupported_media_type', "The body's media type is not supported");
  return status === 400
    ? new Refusal('malformed_request', 'The body cannot be read: it does not match its headers')
    : error;
}
