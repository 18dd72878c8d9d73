# %% [markdown]
# # precess in one page
# A four-bar linkage with four plain hinges: built, checked, run, looked at, varied, controlled.

# %%
import numpy as np

import precess as pc

# %% [markdown]
# ## Build: the words of the model file

# %%
m = pc.Model("four_bar", gravity=(0, 0, -9.81), parameters={"w": "2*pi", "k": 40.0})
m.bar("crank", (0, 0, 0), (0, 0, 0.3), mass=0.5, radius=0.02)
m.bar("coupler", (0, 0, 0.3), (0.8, 0, 0.6), mass=1.0, radius=0.02)
m.bar("rocker", (0.8, 0, 0.6), (1, 0, 0), mass=0.8, radius=0.02)
m.revolute("A", "ground", "crank", point=(0, 0, 0), axis="y", drive="w*t")
m.revolute("B", "crank", "coupler", point=(0, 0, 0.3), axis="y")
m.revolute("C", "coupler", "rocker", point=(0.8, 0, 0.6), axis="y")
m.revolute("D", "ground", "rocker", point=(1, 0, 0), axis="y")
m.joint_spring("spring", joint="D", stiffness="k")
m.sensor("swing", "coordinate", joint="D")
print(m.check())

# %% [markdown]
# ## Run to a tolerance

# %%
r = m.run(until=2.0, tol=1e-8, every="2ms")
print(r)
print(r.t[-1], r["rocker.position"][-1], r.joint("A").torque[-1])
print("between two rows:", r.at(1.2345)["swing"][0])

# %%
r.save("four_bar.npz")
assert np.array_equal(pc.read("four_bar.npz")["swing"], r["swing"])
r.plot("swing", "A.torque.y", backend="html").save("curves.html")
r.view().save("four_bar.html")  # one file, works offline; a notebook shows r.view() in its cell

# %% [markdown]
# ## Many runs: all cores; a failed run is a row with its error

# %%
table = m.sweep(until=1, tol=1e-6, w=np.linspace(3, 12, 20), k=[20, 40, 80], collect=["max:A.torque", "energy_drift"])
print(table)

# %% [markdown]
# ## Statics and vibration, without the drive

# %%
free = m.without_drive("A")
rest = free.equilibrium()
print(rest)
modes = free.modes()
print(modes)
A, B, C, D = free.linearize(inputs=["A"], outputs=["swing"])
print("poles of the linear equations:", np.linalg.eigvals(A))

# %% [markdown]
# ## A force in Python

# %%
windy = m.copy()


@windy.callback("wind", on="rocker", point=(0.9, 0, 0.3))
def wind(t, x, v, R):
    return -0.3 * np.linalg.norm(v) * v


print("largest torque of the drive:", m.run(until=1, tol=1e-6).max("A.torque"), windy.run(until=1, tol=1e-6).max("A.torque"))


# %% [markdown]
# ## A system of one's own: a bead on a sphere

# %%
class Bead(pc.System):
    group, n_lambda = pc.R(3), 1

    def constraint(self, t, q, phi):
        phi[0] = q @ q - 1

    def residual(self, t, q, v, vdot, lam, r):
        r[:] = vdot + [0, 0, 9.81] + 2 * lam[0] * q


bead = pc.run(Bead(), q=[1, 0, 0], v=[0, 1, 0], until=0.5, method="gen-alpha", step=1e-3)
print(bead["q"][-1])

# %% [markdown]
# ## Live stepping, and a mistake

# %%
arm = pc.Model("arm", gravity=(0, 0, -9.81), inputs={"motor": 0})
arm.bar("link", (0, 0, 0), (0.5, 0, 0), mass=2.0, radius=0.02)
arm.revolute("shoulder", "ground", "link", point=(0, 0, 0), axis="y")
arm.actuator("drive", joint="shoulder", value="input('motor')")
arm.sensor("angle", "coordinate", joint="shoulder").sensor("rate", "rate", joint="shoulder")
sim = arm.simulation(step=1e-3)
while sim.t < 1.0:
    angle, rate = sim.sensor("angle"), sim.sensor("rate")
    sim.set_input("motor", 60 * (0.3 - angle) - 8 * rate - 2.0 * 9.81 * 0.25 * np.cos(angle))
    sim.advance(1e-3)
print("angle:", sim.sensor("angle"))

try:
    m.run(until=1, tol=1e-6)["rocker.positon"]
except pc.NotFound as error:
    print(error)
