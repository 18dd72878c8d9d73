"""Lowest modes of the matrices that `--example large_chain` writes, by ARPACK through SciPy: python3 bench/arpack.py chain.npz"""
import sys
import time

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as la

data = np.load(sys.argv[1])
k = 1 + int(data["M"][:, 0].max())
m = 1 + int(data["B"][:, 0].max())


def sparse(name, shape):
    rows, cols, values = data[name].T
    return sp.csc_matrix((values, (rows.astype(int), cols.astype(int))), shape=shape)


M, K, B = sparse("M", (k, k)), sparse("K", (k, k)), sparse("B", (m, k))
begin = time.perf_counter()
shift = 10.0
lu = la.splu(sp.bmat([[K + shift * M, B.T], [B, None]], format="csc"))
solve = lambda x: lu.solve(np.concatenate([x, np.zeros(m)]))[:k]
inverse = la.LinearOperator((k, k), matvec=solve)
start = solve(M @ np.random.default_rng(1).normal(size=k))
values = la.eigsh(K, k=12, M=M, sigma=-shift, OPinv=inverse, v0=start, return_eigenvectors=False, tol=1e-12)
seconds = time.perf_counter() - begin
for x in np.sort(np.sqrt(values)):
    print(f"{x:.10f}")
print(f"{k // 6} bodies, 12 modes in {seconds:.3f} s (ARPACK)")
