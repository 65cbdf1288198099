// Kernels, as the library has them, to draw the hypotheses that they make.

const dot = (a, b) => a.reduce((sum, v, j) => sum + v * b[j], 0);
const power = (base, degree) => (Number.isInteger(degree) ? base ** degree : Math.pow(base, degree));

const FUNCTIONS = {
  linear: (x, z) => dot(x, z),
  poly: (x, z, { gamma, degree, coef0 }) => power(gamma * dot(x, z) + coef0, degree),
  rbf: (x, z, { gamma }) => Math.exp(-gamma * x.reduce((sum, v, j) => sum + (v - z[j]) ** 2, 0)),
  laplacian: (x, z, { gamma }) => Math.exp(-gamma * x.reduce((sum, v, j) => sum + Math.abs(v - z[j]), 0)),
  sigmoid: (x, z, { gamma, coef0 }) => Math.tanh(gamma * dot(x, z) + coef0),
  cosine: (x, z) => dot(x, z) / (Math.sqrt(dot(x, x) * dot(z, z)) || 1),
};

/** The kernel of a run, as a function. */
export const kernelOf = (kernel) => (x, z) => FUNCTIONS[kernel.name](x, z, kernel);
