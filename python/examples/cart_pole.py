"""A cart with a pole as an environment with reset and step, the interface that programs for reinforcement learning take (Gymnasium's, without
needing it), and a controller that balances the pole for five seconds."""

from __future__ import annotations

import numpy as np

import precess as pc


def cart_pole() -> pc.Model:
    """A pole on a cart on a rail; the force on the cart is an input."""
    m = pc.Model("cart_pole", gravity=(0, 0, -9.81), inputs={"push": 0}, parameters={"tilt": 0.05})
    m.body("cart", mass=1.0, shape={"type": "box", "size": [0.3, 0.2, 0.1]})
    m.body(
        "pole",
        mass=0.1,
        shape={"type": "cylinder", "radius": 0.01, "length": 1.0, "axis": "z"},
        position=("0.5*sin(tilt)", 0, "0.5*cos(tilt)"),
        rotation={"axis": [0, 1, 0], "angle": "tilt"},
    )
    m.prismatic("rail", "ground", "cart", point=(0, 0, 0), axis="x")
    m.revolute("hinge", "cart", "pole", point=(0, 0, 0), axis="y")
    m.actuator("motor", joint="rail", value="input('push')")
    for name, kind, joint in (("x", "coordinate", "rail"), ("x_dot", "rate", "rail"), ("angle", "coordinate", "hinge"), ("angle_dot", "rate", "hinge")):
        m.sensor(name, kind, joint=joint)
    return m


class CartPole:
    """reset() and step(action) as in Gymnasium. The observation is (x, x', angle from upright, its rate)."""

    dt = 0.02

    def __init__(self) -> None:
        self.model = cart_pole()
        self.sim = self.model.simulation(step=2e-3)
        self.tilt = 0.0

    def reset(self, *, seed: int | None = None) -> tuple[np.ndarray, dict[str, float]]:
        """Begins again with a random tilt."""
        self.tilt = float(np.random.default_rng(seed).uniform(-0.08, 0.08))
        self.sim = self.model.set(tilt=self.tilt).simulation(step=2e-3)
        return self._observe(), {}

    def step(self, action: float) -> tuple[np.ndarray, float, bool, bool, dict[str, float]]:
        """Pushes the cart with a force in N for `dt`."""
        self.sim.set_input("push", float(np.clip(action, -20, 20)))
        self.sim.advance(self.dt)
        seen = self._observe()
        fallen = bool(abs(seen[2]) > 0.2 or abs(seen[0]) > 2.4)
        return seen, 1.0, fallen, self.sim.t >= 5.0 - 1e-9, {"energy": self.sim.energy or 0.0}

    def _observe(self) -> np.ndarray:
        values = self.sim.sensors
        return np.array([values["x"], values["x_dot"], values["angle"] + self.tilt, values["angle_dot"]])


def main() -> None:
    env = CartPole()
    seen, _ = env.reset(seed=1)
    total, done = 0.0, False
    while not done:
        action = float(np.dot([1.0, 2.0, 35.0, 8.0], seen))
        seen, reward, fallen, ended, _ = env.step(action)
        total += reward
        done = fallen or ended
    print(f"balanced for {total * env.dt:.2f} s, the last tilt is {seen[2]:.4f} rad")
    assert ended and not fallen and abs(seen[2]) < 0.02


if __name__ == "__main__":
    main()
