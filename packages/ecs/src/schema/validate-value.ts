import { EclipticError } from '@ecliptic/core';
import type { Component } from './component.js';
import { ElementKind, FieldKind, type Field } from './field.js';
import { View } from '../views/view.js';

function numberProblem(field: Field, value: unknown): string | undefined {
  if (typeof value !== 'number') return `${typeof value} instead of a number`;
  if (Number.isNaN(value)) return 'NaN';
  if (value < field.min || value > field.max) return `${value} is not in ${field.min}…${field.max}`;
  const wholeOnly = field.element >= ElementKind.i8 && field.element <= ElementKind.u32;
  return wholeOnly && !Number.isInteger(value) ? `${value} is no whole number` : undefined;
}

function compositeProblem(field: Field, value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return `${typeof value} instead of numbers`;
  const { length } = value as { length?: unknown };
  if (length !== undefined) {
    const colorWithoutAlpha = field.kind === FieldKind.color && length === 3;
    if (length !== field.stride && !colorWithoutAlpha) {
      return `${typeof length === 'number' ? length : typeof length} numbers instead of ${field.stride}`;
    }
    for (let i = 0; i < (length as number); i++) {
      const problem = numberProblem(field, (value as ArrayLike<unknown>)[i]);
      if (problem !== undefined) return `element ${i}: ${problem}`;
    }
    return undefined;
  }
  if (field.axes === '') return 'no list of numbers';
  for (const name of field.axes) {
    const given = (value as Record<string, unknown>)[name];
    // A color without alpha is opaque.
    if (name === 'a' && given === undefined) continue;
    const problem = numberProblem(field, given);
    if (problem !== undefined) return `${name}: ${problem}`;
  }
  return undefined;
}

/** What is wrong with a value for a field, or `undefined`. NaN is wrong, infinity is not. */
export function describeInvalid(field: Field, value: unknown): string | undefined {
  switch (field.kind) {
    case FieldKind.number:
      return numberProblem(field, value);
    case FieldKind.entity:
      return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 30
        ? undefined
        : `${String(value)} is no entity id`;
    case FieldKind.bool:
      return typeof value === 'boolean' ? undefined : `${typeof value} instead of a boolean`;
    default:
      return field.codec ? field.codec.problem(field, value) : compositeProblem(field, value);
  }
}

/**
 * Checks a component's value: unknown names, wrong types, numbers out of range. A view is a value, too.
 *
 * @throws EclipticError `ecs/invalid-value`, naming component and field
 */
export function validateValue(component: Component, value: object): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid(component, '', value, 'is no object with fields');
  }
  for (const { name, field } of component.fields) {
    const given = (value as Readonly<Record<string, unknown>>)[name];
    const problem = given === undefined ? undefined : describeInvalid(field, given);
    if (problem !== undefined) throw invalid(component, name, given, problem);
  }
  if (value instanceof View) return;
  for (const name of Object.keys(value)) {
    if (Object.hasOwn(component.schema, name)) continue;
    throw invalid(component, name, Reflect.get(value, name), 'there is no such field');
  }
}

function invalid(
  component: Component,
  field: string,
  value: unknown,
  problem: string,
): EclipticError {
  const known = Object.hasOwn(component.schema, field);
  const name = field === '' ? component.name : `${component.name}.${field}`;
  return new EclipticError('ecs/invalid-value', `${name}: ${problem}`, {
    subjects: { component: component.name, field, value },
    fix: known
      ? 'Give a value of the field’s type and range.'
      : `Fields are ${component.fields.map((slot) => slot.name).join(', ') || 'none'}.`,
  });
}
