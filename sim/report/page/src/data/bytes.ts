// SPDX-License-Identifier: Apache-2.0

/** Decodes base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const characters = atob(text.trim());
  const bytes = new Uint8Array(characters.length);
  for (let k = 0; k < characters.length; k++) bytes[k] = characters.charCodeAt(k);
  return bytes;
}

/** Inflates a zlib stream (RFC 1950). */
export async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Reads numbers of 7 bits per byte, the lowest first (LEB128). */
export class Reader {
  constructor(
    private readonly bytes: Uint8Array,
    private at: number,
  ) {}

  /** A number up to 2^53. */
  number(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.bytes[this.at++] as number;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 128;
    }
  }

  /** A number of any size. */
  big(): bigint {
    let value = 0n;
    let shift = 0n;
    for (;;) {
      const byte = this.bytes[this.at++] as number;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
      shift += 7n;
    }
  }
}
