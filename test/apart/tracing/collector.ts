import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as it was exported, ids in hexadecimal. */
export interface ExportedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty where it has none. */
  readonly parentSpanId: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  /** 2 where it failed. */
  readonly status: number;
}

export interface Collector {
  readonly url: string;
  readonly spans: ExportedSpan[];
  /** The attributes of what sent them. */
  readonly resource: Record<string, string | number>;
  /** All that it was sent, as it came. */
  readonly bodies: Buffer[];
  /** The headers of the exports. */
  readonly headers: NodeJS.Dict<string | string[]>[];
  close(): Promise<void>;
}

/** A receiver of traces by OTLP over HTTP, which reads what it is sent as opentelemetry-proto describes it. */
export async function openCollector(): Promise<Collector> {
  const spans: ExportedSpan[] = [];
  const resource: Record<string, string | number> = {};
  const bodies: Buffer[] = [];
  const headers: Collector['headers'] = [];
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const body = Buffer.concat(chunks);
      bodies.push(body);
      headers.push({ ...req.headers, ':path': req.url });
      for (const ofResource of messagesIn(body, 1)) {
        for (const described of messagesIn(ofResource, 1)) Object.assign(resource, attributesIn(described, 1));
        for (const scope of messagesIn(ofResource, 2)) spans.push(...messagesIn(scope, 2).map(readSpan));
      }
      res.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    resource,
    bodies,
    headers,
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((closed) => server.close(() => closed()));
    },
  };
}

function readSpan(bytes: Buffer): ExportedSpan {
  const text = (number: number, encoding: BufferEncoding) =>
    (messagesIn(bytes, number)[0] ?? Buffer.alloc(0)).toString(encoding);
  const status = messagesIn(bytes, 15)[0];
  return {
    traceId: text(1, 'hex'),
    spanId: text(2, 'hex'),
    parentSpanId: text(4, 'hex'),
    name: text(5, 'utf8'),
    attributes: attributesIn(bytes, 9),
    status: Number((status && fieldsOf(status).find(({ number }) => number === 3)?.value) ?? 0),
  };
}

/** The attributes of a message: texts and whole numbers, which are all that the rail has. */
function attributesIn(bytes: Buffer, number: number): Record<string, string | number> {
  return Object.fromEntries(
    messagesIn(bytes, number).map((pair) => {
      const [value] = fieldsOf(messagesIn(pair, 2)[0]!);
      return [
        messagesIn(pair, 1)[0]!.toString(),
        Buffer.isBuffer(value!.value) ? value!.value.toString() : value!.value,
      ];
    }),
  );
}

interface Field {
  readonly number: number;
  readonly value: Buffer | number;
}

const messagesIn = (bytes: Buffer, number: number): Buffer[] =>
  fieldsOf(bytes).flatMap((field) => (field.number === number && Buffer.isBuffer(field.value) ? [field.value] : []));

/** The fields of a message in the wire format of Protocol Buffers. */
function fieldsOf(bytes: Buffer): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++]!;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  const take = (length: number) => bytes.subarray(at, (at += length));
  while (at < bytes.length) {
    const tag = varint();
    const number = Math.floor(tag / 8);
    const kind = tag % 8;
    if (kind === 0) fields.push({ number, value: varint() });
    else if (kind === 1) fields.push({ number, value: Number(take(8).readBigUInt64LE()) });
    else if (kind === 2) fields.push({ number, value: take(varint()) });
    else if (kind === 5) fields.push({ number, value: take(4).readUInt32LE() });
    else throw new Error(`There is no wire type ${kind}`);
  }
  return fields;
}
