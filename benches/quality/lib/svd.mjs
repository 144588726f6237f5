// The leading singular vectors of a sparse matrix by randomized subspace iteration (Halko, Martinsson and Tropp 2011).
import { random } from "./random.mjs";

/** So many more dimensions are carried along, for the last of those asked for to converge. */
const SPARE = 16;
const ITERATIONS = 20;
const SEED = 7;

/**
 * @typedef {object} Sparse by row: the columns that are not 0, and their values
 * @property {number} columns
 * @property {{ column: number, value: number }[][]} rows
 */

/**
 * @param {Sparse} matrix
 * @param {number} rank
 * @returns {{ vectors: Float64Array[], values: number[] }} the leading right singular vectors, each as long as there are
 * columns, and the singular values, falling
 */
export function svd(matrix, rank) {
  const next = random(SEED);
  const width = rank + SPARE;
  let basis = Array.from({ length: width }, () => Float64Array.from({ length: matrix.columns }, () => next() - 0.5));
  orthonormalise(basis);
  for (let iteration = 0; iteration < ITERATIONS; iteration++) {
    basis = basis.map((vector) => transposedTimes(matrix, times(matrix, vector)));
    orthonormalise(basis);
  }
  // Within the subspace the squares of the singular values are the eigenvalues of a small symmetric matrix.
  const images = basis.map((vector) => times(matrix, vector));
  const small = images.map((left) => images.map((right) => dot(left, right)));
  const { values, vectors } = eigen(small);
  const order = Array.from(values.keys()).sort((left, right) => values[right] - values[left]);
  const leading = order.slice(0, rank);
  return {
    values: leading.map((place) => Math.sqrt(Math.max(values[place] ?? 0, 0))),
    vectors: leading.map((place) =>
      upright(
        combine(
          basis,
          vectors.map((row) => row[place] ?? 0),
        ),
      ),
    ),
  };
}

/**
 * @param {Sparse} matrix
 * @param {Float64Array} vector
 */
const times = ({ rows }, vector) =>
  Float64Array.from(rows, (row) => row.reduce((sum, { column, value }) => sum + value * vector[column], 0));

/**
 * @param {Sparse} matrix
 * @param {Float64Array} vector
 */
function transposedTimes({ rows, columns }, vector) {
  const result = new Float64Array(columns);
  rows.forEach((row, index) => {
    for (const { column, value } of row) result[column] = result[column] + value * vector[index];
  });
  return result;
}

/**
 * @param {Float64Array} left
 * @param {Float64Array} right
 */
export const dot = (left, right) => left.reduce((sum, value, index) => sum + value * right[index], 0);

/**
 * Adds `factor` times `from` to `to`.
 * @param {Float64Array} to
 * @param {Float64Array} from
 * @param {number} factor
 */
function add(to, from, factor) {
  for (let index = 0; index < to.length; index++) to[index] = to[index] + factor * from[index];
}

/** Modified Gram-Schmidt, twice, in place. @param {Float64Array[]} vectors */
function orthonormalise(vectors) {
  vectors.forEach((vector, place) => {
    for (let pass = 0; pass < 2; pass++) {
      for (const earlier of vectors.slice(0, place)) add(vector, earlier, -dot(vector, earlier));
    }
    const length = Math.sqrt(dot(vector, vector));
    for (let index = 0; index < vector.length; index++) vector[index] = vector[index] / length;
  });
}

/**
 * @param {Float64Array[]} basis
 * @param {number[]} weights
 */
function combine(basis, weights) {
  const result = new Float64Array(basis[0]?.length ?? 0);
  basis.forEach((vector, place) => {
    add(result, vector, weights[place] ?? 0);
  });
  return result;
}

/** A singular vector or its opposite: the one whose sum is positive, so that the result is the same however it was found. @param {Float64Array} vector */
const upright = (vector) =>
  vector.reduce((sum, value) => sum + value, 0) < 0 ? vector.map((value) => -value) : vector;

/**
 * Eigenvalues and eigenvectors (in columns) of a symmetric matrix by cyclic Jacobi rotations.
 * @param {number[][]} symmetric
 */
function eigen(symmetric) {
  const a = symmetric.map((row) => Float64Array.from(row));
  const size = a.length;
  const vectors = a.map((_, index) => Float64Array.from({ length: size }, (_, column) => (column === index ? 1 : 0)));
  const at = (/** @type {Float64Array[]} */ m, /** @type {number} */ r, /** @type {number} */ c) => m[r]?.[c] ?? 0;
  for (let sweep = 0; sweep < 30; sweep++) {
    for (let p = 0; p < size; p++) {
      for (let q = p + 1; q < size; q++) {
        const off = at(a, p, q);
        if (off === 0) continue;
        const theta = (at(a, q, q) - at(a, p, p)) / (2 * off);
        const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
        const cos = 1 / Math.sqrt(t * t + 1);
        const sin = t * cos;
        const turn = (/** @type {Float64Array | undefined} */ row) => {
          if (row === undefined) return;
          const [x, y] = [row[p] ?? 0, row[q] ?? 0];
          row[p] = cos * x - sin * y;
          row[q] = sin * x + cos * y;
        };
        a.forEach(turn);
        const [upper, lower] = [a[p], a[q]];
        for (let column = 0; column < size && upper && lower; column++) {
          const [x, y] = [upper[column] ?? 0, lower[column] ?? 0];
          upper[column] = cos * x - sin * y;
          lower[column] = sin * x + cos * y;
        }
        vectors.forEach(turn);
      }
    }
  }
  return { values: a.map((row, index) => row[index] ?? 0), vectors: vectors.map((row) => Array.from(row)) };
}
