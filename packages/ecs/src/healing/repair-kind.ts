/**
 * What was wrong:
 *
 * - `missing`: the field was absent
 * - `type`: a value of another type, for which there is no conversion
 * - `not-finite`: NaN or an infinity
 * - `clamped`: a number out of the field's range
 * - `rounded`: a fraction in an integer field
 * - `normalized`: a quaternion whose length was not 1
 * - `unknown-choice`: a name that the `oneOf` field does not have
 * - `length`: a list or text that was too short or too long
 * - `text`: characters that UTF-8 can't hold, or a NUL
 * - `unknown-field`: a field that the component does not have; it was dropped
 */
export type RepairKind =
  | 'missing'
  | 'type'
  | 'not-finite'
  | 'clamped'
  | 'rounded'
  | 'normalized'
  | 'unknown-choice'
  | 'length'
  | 'text'
  | 'unknown-field';
