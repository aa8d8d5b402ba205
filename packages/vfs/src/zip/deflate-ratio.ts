/**
 * The most bytes that one byte of deflated data becomes: what claims more is damaged, or was made to fill memory. From RFC 1951: a match
 * of 258 bytes takes two bits at least.
 */
export const DEFLATE_RATIO = 1_032;
