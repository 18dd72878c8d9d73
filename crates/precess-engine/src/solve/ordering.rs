//! Elimination order of the blocks of a sparse matrix, and its fill.
//!
//! A block may have to wait for others: a joint has a zero diagonal block until its bodies are eliminated.
//! Chains and trees are eliminated by minimum degree, which costs O(N). With many loops, minimum degree needs
//! 2.4 times the operations of nested dissection (net of 32x32 bodies). Then the bodies are divided into
//! halves recursively, and the part that joins two halves is eliminated after both. Halves are found from
//! distances in the graph, so no coordinates are needed.
//!
//! The elimination tree is traversed in postorder: neighbours in the tree are neighbours in memory. Blocks
//! with the same neighbours become one pivot, so that dense kernels see long panels.
//!
//! Very long chains and large trees are cut in the middle once, and the part between the halves comes last.
//! The halves do not touch each other. They are eliminated from their ends to the cut, at the same time if
//! there are several cores.

use std::collections::{BTreeSet, VecDeque};

use crate::threads::LARGE;

/// An order of elimination with its fill.
#[derive(Clone, Debug, Default)]
pub(super) struct Elimination {
    /// Blocks, first to last. Below, blocks are named by their index in this list.
    pub order: Vec<u32>,
    /// First position of each pivot, and the end.
    pub pivots: Vec<u32>,
    /// For each pivot, the remaining positions that share entries with it when it is eliminated, increasing.
    pub neighbours: Vec<u32>,
    /// First neighbour of each pivot, and the end.
    pub first: Vec<u32>,
    /// Ends of the pivots of the first and the second half, if there are halves.
    pub halves: Option<[u32; 2]>,
}

/// Blocks that touch each other, without the blocks themselves.
type Graph = Vec<Vec<u32>>;

/// Smallest number of independent loops for which nested dissection is tried, and its smallest ratio to the
/// number of blocks.
const MANY_LOOPS: (usize, f64) = (12, 0.05);
/// Smallest number of blocks, bodies and joints, of a system with few loops that is cut into halves.
const CUT_FROM: usize = 2 * LARGE;
/// Parts with this number of bodies are not divided further.
const LEAF_BODIES: usize = 4;
/// Joints are combined up to this number of unknowns, a good length for the kernels.
const MAX_PIVOT_UNKNOWNS: u32 = 32;

/// Analyses a graph: `dim` unknowns per block, `before[b]` lists the blocks that must be eliminated before b.
pub(super) fn analyse(dim: &[u32], graph: &Graph, before: &[Vec<usize>]) -> Elimination {
    let mut last = vec![false; graph.len()];
    let sequence = if has_many_loops(graph, before) {
        Dissection::new(graph, before).run()
    } else {
        if graph.len() >= CUT_FROM {
            let between = Dissection::new(graph, before).middle();
            between.into_iter().for_each(|b| last[b as usize] = true);
        }
        minimum_degree(graph.clone(), before, &last)
    };
    let fill = Fill::new(graph, &sequence);
    let (order, fill) = fill.postordered(graph, &sequence, &last);
    let top = order.len() - last.iter().filter(|x| **x).count();
    fill.pivots(order, dim, before, top)
}

/// True if there are many loops through joints: edges between joints and bodies beyond those of a forest.
fn has_many_loops(graph: &Graph, before: &[Vec<usize>]) -> bool {
    let edges: usize = before.iter().map(Vec::len).sum();
    let joined = before.iter().filter(|list| !list.is_empty()).count();
    let bodies = graph.len() - joined;
    let loops = edges.saturating_sub(joined + bodies);
    loops >= MANY_LOOPS.0 && loops as f64 > MANY_LOOPS.1 * graph.len() as f64
}

/// Among the blocks that may be eliminated, the one with the fewest neighbours goes first. Blocks marked
/// `last` wait for all others.
pub(super) fn minimum_degree(mut graph: Graph, before: &[Vec<usize>], last: &[bool]) -> Vec<u32> {
    let n = graph.len();
    let mut waiting: Vec<usize> =
        before.iter().zip(last).map(|(list, last)| list.len() + usize::from(*last)).collect();
    let mut after: Graph = vec![Vec::new(); n];
    for (b, list) in before.iter().enumerate() {
        for &x in list {
            after[x].push(b as u32);
        }
    }
    let mut done = vec![false; n];
    let mut ready: BTreeSet<(usize, u32)> =
        (0..n).filter(|&b| waiting[b] == 0).map(|b| (graph[b].len(), b as u32)).collect();
    let mut sequence = Vec::with_capacity(n);
    let mut are_held = last.contains(&true);
    loop {
        if ready.is_empty() && std::mem::take(&mut are_held) {
            for b in (0..n).filter(|&b| last[b]) {
                waiting[b] -= 1;
                if waiting[b] == 0 {
                    ready.insert((graph[b].len(), b as u32));
                }
            }
        }
        let Some((_, block)) = ready.pop_first() else { break };
        done[block as usize] = true;
        let neighbours = std::mem::take(&mut graph[block as usize]);
        for &i in &neighbours {
            let x = i as usize;
            if waiting[x] == 0 {
                ready.remove(&(graph[x].len(), i));
            }
            let list = &mut graph[x];
            list.extend(&neighbours);
            list.retain(|&j| j != i && !done[j as usize]);
            list.sort_unstable();
            list.dedup();
            if waiting[x] == 0 {
                ready.insert((graph[x].len(), i));
            }
        }
        for &b in &after[block as usize] {
            let x = b as usize;
            waiting[x] -= 1;
            if waiting[x] == 0 {
                ready.insert((graph[x].len(), b));
            }
        }
        sequence.push(block);
    }
    sequence
}

/// Nested dissection. Bodies are the blocks that wait for no others, joints all other blocks.
struct Dissection<'a> {
    graph: &'a Graph,
    before: &'a [Vec<usize>],
    /// Bodies next to each body, directly or through a joint.
    near: Graph,
    /// The part to which a block currently belongs.
    part: Vec<u32>,
    parts: u32,
    /// Index of a body in the list that is being divided.
    number: Vec<u32>,
    sequence: Vec<u32>,
}

const NOWHERE: u32 = u32::MAX;

/// Bodies and joints of two halves, and the part between them.
struct Cut {
    left: (Vec<u32>, Vec<u32>),
    right: (Vec<u32>, Vec<u32>),
    between: Vec<u32>,
}

impl<'a> Dissection<'a> {
    fn new(graph: &'a Graph, before: &'a [Vec<usize>]) -> Self {
        let n = graph.len();
        let mut near: Graph = vec![Vec::new(); n];
        for b in (0..n).filter(|&b| before[b].is_empty()) {
            let direct = graph[b].iter().copied().filter(|&x| before[x as usize].is_empty());
            let joints = graph[b].iter().flat_map(|&x| &before[x as usize]).map(|&x| x as u32);
            near[b] = direct.chain(joints).filter(|&x| x as usize != b).collect();
            near[b].sort_unstable();
            near[b].dedup();
        }
        Dissection {
            graph,
            before,
            near,
            part: vec![0; n],
            parts: 1,
            number: vec![0; n],
            sequence: Vec::with_capacity(n),
        }
    }

    fn run(mut self) -> Vec<u32> {
        let (bodies, joints) =
            (0..self.graph.len() as u32).partition(|&b| self.before[b as usize].is_empty());
        self.dissect(bodies, joints);
        self.sequence
    }

    /// The part between two halves of all bodies.
    fn middle(mut self) -> Vec<u32> {
        let (bodies, joints) =
            (0..self.graph.len() as u32).partition(|&b| self.before[b as usize].is_empty());
        self.cut(bodies, joints).between
    }

    /// Appends bodies and the joints between them to the sequence.
    fn dissect(&mut self, bodies: Vec<u32>, joints: Vec<u32>) {
        if bodies.len() <= LEAF_BODIES {
            return self.leaf(bodies, joints);
        }
        let Cut { left, right, between } = self.cut(bodies, joints);
        self.dissect(left.0, left.1);
        self.dissect(right.0, right.1);
        self.sequence.extend(between);
    }

    /// Divides bodies and the joints between them.
    fn cut(&mut self, bodies: Vec<u32>, joints: Vec<u32>) -> Cut {
        let right = self.halves(&bodies);
        self.parts += 2;
        let (left, right) = (self.parts - 2, right);
        for &b in &bodies {
            self.part[b as usize] = left;
        }
        for &b in &right {
            self.part[b as usize] = left + 1;
        }
        // Bodies of the left half that touch the right one without a joint are between the halves.
        let direct = |x: &Self, b: u32| {
            let mut others = x.graph[b as usize].iter();
            others.any(|&o| x.before[o as usize].is_empty() && x.part[o as usize] == left + 1)
        };
        let mut between: Vec<u32> =
            bodies.iter().copied().filter(|&b| self.part[b as usize] == left && direct(self, b)).collect();
        for &b in &between {
            self.part[b as usize] = NOWHERE;
        }
        let mut sides = [Vec::new(), Vec::new()];
        for j in joints {
            let mut ends = self.before[j as usize].iter().map(|&b| self.part[b]);
            let first = ends.next().unwrap_or(NOWHERE);
            match first {
                NOWHERE => between.push(j),
                side if ends.all(|e| e == side) => sides[(side - left) as usize].push(j),
                _ => between.push(j),
            }
        }
        let [left_joints, right_joints] = sides;
        let left_bodies = bodies.into_iter().filter(|&b| self.part[b as usize] == left).collect();
        Cut { left: (left_bodies, left_joints), right: (right, right_joints), between }
    }

    /// A small part by minimum degree.
    fn leaf(&mut self, bodies: Vec<u32>, joints: Vec<u32>) {
        let list: Vec<u32> = bodies.into_iter().chain(joints).collect();
        let local = |b: usize| list.iter().position(|&x| x as usize == b);
        let graph: Graph = list
            .iter()
            .map(|&b| {
                self.graph[b as usize].iter().filter_map(|&x| local(x as usize)).map(|x| x as u32).collect()
            })
            .collect();
        let before: Vec<Vec<usize>> = list
            .iter()
            .map(|&b| self.before[b as usize].iter().filter_map(|&x| local(x)).collect())
            .collect();
        let none = vec![false; graph.len()];
        self.sequence.extend(minimum_degree(graph, &before, &none).into_iter().map(|x| list[x as usize]));
    }

    /// One half of the bodies. Differences of distances from three distant bodies serve as coordinates; the
    /// best of them has the fewest links across a cut near the middle.
    fn halves(&mut self, bodies: &[u32]) -> Vec<u32> {
        self.parts += 1;
        for (i, &b) in bodies.iter().enumerate() {
            self.part[b as usize] = self.parts;
            self.number[b as usize] = i as u32;
        }
        let far = |d: &[u32]| (0..bodies.len()).rev().max_by_key(|&i| d[i]).unwrap_or(0);
        let a = far(&self.distances(bodies, 0));
        let d_a = self.distances(bodies, a);
        if d_a.contains(&NOWHERE) {
            // Not connected: nothing is cut.
            return bodies.iter().zip(&d_a).filter(|(_, d)| **d == NOWHERE).map(|(b, _)| *b).collect();
        }
        let b = far(&d_a);
        let d_b = self.distances(bodies, b);
        let nearest: Vec<u32> = d_a.iter().zip(&d_b).map(|(x, y)| *x.min(y)).collect();
        let d_c = self.distances(bodies, far(&nearest));
        let mut best = (usize::MAX, Vec::new());
        for (x, y) in [(&d_a, &d_b), (&d_a, &d_c), (&d_b, &d_c)] {
            let mut order: Vec<usize> = (0..bodies.len()).collect();
            order.sort_by_key(|&i| x[i] as i64 - y[i] as i64);
            let (links, at) = self.best_cut(bodies, &order);
            if links < best.0 {
                best = (links, order[at..].iter().map(|&i| bodies[i]).collect());
            }
        }
        best.1
    }

    /// Steps from body number `from` of a part to all its bodies.
    fn distances(&self, bodies: &[u32], from: usize) -> Vec<u32> {
        let part = self.part[bodies[0] as usize];
        let mut d = vec![NOWHERE; bodies.len()];
        d[from] = 0;
        let mut queue = VecDeque::from([from]);
        while let Some(i) = queue.pop_front() {
            for &x in self.near[bodies[i] as usize].iter().filter(|&&x| self.part[x as usize] == part) {
                let j = self.number[x as usize] as usize;
                if d[j] == NOWHERE {
                    d[j] = d[i] + 1;
                    queue.push_back(j);
                }
            }
        }
        d
    }

    /// The smallest number of links across a cut of the sequence between 3/8 and 5/8, and its position,
    /// nearest to the middle.
    fn best_cut(&mut self, bodies: &[u32], order: &[usize]) -> (usize, usize) {
        let (n, part) = (order.len(), self.part[bodies[0] as usize]);
        let (mut links, mut best) = (0, (usize::MAX, usize::MAX, n / 2));
        for (k, &i) in order.iter().enumerate() {
            if k > 0 && 8 * k >= 3 * n && 8 * k <= 5 * n {
                best = best.min((links, k.abs_diff(n / 2), k));
            }
            // The body moves to the left side.
            for &x in &self.near[bodies[i] as usize] {
                match self.part[x as usize] {
                    p if p == part => links += 1,
                    p if p == NOWHERE - 1 => links -= 1,
                    _ => {}
                }
            }
            self.part[bodies[i] as usize] = NOWHERE - 1;
        }
        for &b in bodies {
            self.part[b as usize] = part;
        }
        (best.0, best.2)
    }
}

/// Later blocks that share entries with each block when it is eliminated, by positions in a sequence.
struct Fill {
    parent: Vec<u32>,
    first: Vec<usize>,
    list: Vec<u32>,
}

impl Fill {
    /// The neighbours of a block are its direct ones and those of its children in the elimination tree.
    fn new(graph: &Graph, sequence: &[u32]) -> Self {
        let n = sequence.len();
        let mut position = vec![0; n];
        for (i, &b) in sequence.iter().enumerate() {
            position[b as usize] = i as u32;
        }
        let mut fill = Fill { parent: vec![NOWHERE; n], first: vec![0], list: Vec::new() };
        let mut children: Graph = vec![Vec::new(); n];
        let mut seen = vec![NOWHERE; n];
        let mut row = Vec::new();
        for i in 0..n {
            seen[i] = i as u32;
            row.clear();
            let own =
                graph[sequence[i] as usize].iter().map(|&b| position[b as usize]).filter(|&x| x > i as u32);
            let inherited = children[i]
                .iter()
                .flat_map(|&c| &fill.list[fill.first[c as usize]..fill.first[c as usize + 1]]);
            for x in own.chain(inherited.copied()) {
                if seen[x as usize] != i as u32 {
                    seen[x as usize] = i as u32;
                    row.push(x);
                }
            }
            row.sort_unstable();
            if let Some(&parent) = row.first() {
                fill.parent[i] = parent;
                children[parent as usize].push(i as u32);
            }
            children[i] = Vec::new();
            fill.list.extend(&row);
            fill.first.push(fill.list.len());
        }
        fill
    }

    fn of(&self, i: usize) -> &[u32] {
        &self.list[self.first[i]..self.first[i + 1]]
    }

    /// The same elimination with children directly before their parents, except for those marked `last`; the
    /// child with the most neighbours comes last.
    fn postordered(self, graph: &Graph, sequence: &[u32], last: &[bool]) -> (Vec<u32>, Fill) {
        let n = sequence.len();
        let mut children: Graph = vec![Vec::new(); n];
        let mut stack = Vec::new();
        for i in 0..n {
            match self.parent[i] {
                NOWHERE => stack.push(i as u32),
                parent => children[parent as usize].push(i as u32),
            }
        }
        // Parents first, then reversed.
        let mut order = Vec::with_capacity(n);
        while let Some(i) = stack.pop() {
            order.push(sequence[i as usize]);
            let list = &mut children[i as usize];
            list.sort_by_key(|&c| self.of(c as usize).len());
            stack.append(list);
        }
        order.reverse();
        order.sort_by_key(|&b| last[b as usize]);
        let fill = Fill::new(graph, &order);
        (order, fill)
    }

    /// The end of the first of two halves of the blocks before `top`, which have no neighbours in each other.
    fn half(&self, top: usize) -> Option<usize> {
        let ends = (0..top).filter(|&i| self.parent[i] as usize >= top).map(|i| i + 1);
        ends.min_by_key(|end| end.abs_diff(top / 2)).filter(|end| *end < top)
    }

    /// Combines joints with the same neighbours. Blocks from `top` on are between halves.
    fn pivots(&self, order: Vec<u32>, dim: &[u32], before: &[Vec<usize>], top: usize) -> Elimination {
        let half = if top < order.len() { self.half(top) } else { None };
        let mut e = Elimination { pivots: vec![0], first: vec![0], ..Elimination::default() };
        let mut width = 0;
        for (i, &block) in order.iter().enumerate() {
            let own = dim[block as usize];
            let next = order.get(i + 1);
            let joins = next.is_some_and(|&next| {
                let joints = !before[block as usize].is_empty() && !before[next as usize].is_empty();
                let nested = self.parent[i] == i as u32 + 1 && self.of(i).len() == self.of(i + 1).len() + 1;
                joints && nested && i + 1 != top && width + own + dim[next as usize] <= MAX_PIVOT_UNKNOWNS
            });
            width += own;
            if !joins {
                e.pivots.push(i as u32 + 1);
                e.neighbours.extend(self.of(i));
                e.first.push(e.neighbours.len() as u32);
                width = 0;
                let end = e.pivots.len() as u32 - 1;
                match half {
                    Some(half) if half == i + 1 => e.halves = Some([end, end]),
                    Some(_) if top == i + 1 => e.halves = e.halves.map(|[first, _]| [first, end]),
                    _ => {}
                }
            }
        }
        e.order = order;
        e
    }
}
