//! The call graph: recursive definitions and procedures, and `stop` of procedures that cannot be running.
//!
//! The walk through the declarations fills a [`CallGraph`]; [`check_calls`] reports its cycles afterwards. Code and values have
//! separate graphs. The functions for cycles also serve the check for procedures that never end.

use super::names::Names;
use ludex_syntax::codes;
use ludex_syntax::problem::Problem;
use ludex_syntax::source::Span;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::iter;

/// By node: those it leads to.
pub type Edges<N> = BTreeMap<N, BTreeSet<N>>;

/// A node of running code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Node<'a> {
    Procedure(&'a str),
    /// The effects of all chosen moves: which one runs is unknown here.
    Moves,
    /// The effects of abilities at a hook.
    Hook(&'a str),
}

/// A node of a computed value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ValueNode<'a> {
    Value(&'a str),
    /// The legal moves of a family.
    Family(&'a str),
}

/// Calls found so far, and the code and the value that the walk is in.
#[derive(Default)]
pub struct CallGraph<'a> {
    node: Option<Node<'a>>,
    value: Option<ValueNode<'a>>,
    /// By code: other code that it may run, also by way of a move or a hook.
    leads: Edges<Node<'a>>,
    /// By value: the values it needs.
    value_edges: Edges<ValueNode<'a>>,
    /// By procedure: the procedures it calls with `do`.
    direct: Edges<&'a str>,
    /// Procedures with a question.
    asking: BTreeSet<&'a str>,
    /// The `stop` statements: the code they are in, and the procedure they end.
    stops: Vec<(Node<'a>, &'a str, Span)>,
}

impl<'a> CallGraph<'a> {
    /// Begins the code of a node. Returns the one around it, for [`CallGraph::leave_node`].
    pub fn enter_node(&mut self, node: Node<'a>) -> Option<Node<'a>> {
        self.node.replace(node)
    }

    pub fn leave_node(&mut self, outer: Option<Node<'a>>) {
        self.node = outer;
    }

    /// Begins the expression of a value. Returns the one around it, for [`CallGraph::leave_value`].
    pub fn enter_value(&mut self, value: ValueNode<'a>) -> Option<ValueNode<'a>> {
        self.value.replace(value)
    }

    pub fn leave_value(&mut self, outer: Option<ValueNode<'a>>) {
        self.value = outer;
    }

    /// Adds an edge from the current code to other code.
    pub fn add_edge(&mut self, to: Node<'a>) {
        if let Some(from) = self.node {
            self.leads.entry(from).or_default().insert(to);
        }
    }

    /// Adds an edge from the current value to another that it needs.
    pub fn add_value_edge(&mut self, value: ValueNode<'a>) {
        if let Some(outer) = self.value {
            self.value_edges.entry(outer).or_default().insert(value);
        }
    }

    /// Adds a direct call of a procedure. Only calls by procedures count.
    pub fn add_call(&mut self, procedure: &'a str) {
        if let Some(Node::Procedure(from)) = self.node {
            self.direct.entry(from).or_default().insert(procedure);
        }
    }

    /// Notes that the current procedure asks something.
    pub fn note_question(&mut self) {
        if let Some(Node::Procedure(procedure)) = self.node {
            self.asking.insert(procedure);
        }
    }

    /// Notes a `stop` of a procedure in the current code.
    pub fn add_stop(&mut self, procedure: &'a str, span: Span) {
        if let Some(node) = self.node {
            self.stops.push((node, procedure, span));
        }
    }
}

/// Reports values that need themselves, procedures that call themselves, and stops of procedures that cannot be running.
pub fn check_calls(calls: &CallGraph, names: &Names, problems: &mut Vec<Problem>) {
    report_value_cycles(calls, names, problems);
    report_procedure_cycles(calls, names, problems);
    report_stray_stops(calls, names, problems);
}

/// The shortest cycle through a node, starting with it; none if it is in no cycle. `components` limit the search to its own one.
fn shortest_cycle<N: Copy + Ord>(start: N, edges: &Edges<N>, components: &BTreeMap<N, usize>) -> Option<Vec<N>> {
    let is_inside = |node: &&N| components.get(*node) == components.get(&start);
    let mut came_from = BTreeMap::new();
    let mut open = VecDeque::from([start]);
    while let Some(node) = open.pop_front() {
        for &following in edges.get(&node).into_iter().flatten().filter(is_inside) {
            if following == start {
                let back = iter::successors(Some(node), |node| came_from.get(node).copied());
                let mut cycle: Vec<N> = back.collect();
                cycle.reverse();
                return Some(cycle);
            }
            if let Entry::Vacant(entry) = came_from.entry(following) {
                entry.insert(node);
                open.push_back(following);
            }
        }
    }
    None
}

/// All nodes, each after those it leads to, except where a cycle forbids it.
fn depth_first_order<N: Copy + Ord>(edges: &Edges<N>) -> Vec<N> {
    let (mut order, mut met) = (Vec::new(), BTreeSet::new());
    // Each node is visited again after its successors.
    let mut open: Vec<(N, bool)> = edges.keys().map(|&node| (node, false)).collect();
    while let Some((node, again)) = open.pop() {
        if again {
            order.push(node);
        } else if met.insert(node) {
            open.push((node, true));
            open.extend(edges.get(&node).into_iter().flatten().map(|&following| (following, false)));
        }
    }
    order
}

/// The number of the strongly connected component of each node, by Kosaraju's algorithm.
fn components<N: Copy + Ord>(edges: &Edges<N>) -> BTreeMap<N, usize> {
    let mut callers: BTreeMap<N, Vec<N>> = BTreeMap::new();
    for (&node, next) in edges {
        for &following in next {
            callers.entry(following).or_default().push(node);
        }
    }
    let mut components = BTreeMap::new();
    for (number, root) in depth_first_order(edges).into_iter().rev().enumerate() {
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            if let Entry::Vacant(entry) = components.entry(node) {
                entry.insert(number);
                open.extend(callers.get(&node).into_iter().flatten());
            }
        }
    }
    components
}

/// For each set of nodes that lead to each other, the shortest cycle through its first node.
///
/// Takes time in proportion to the edges, however many cycles there are.
pub fn find_cycles<N: Copy + Ord>(edges: &Edges<N>) -> Vec<Vec<N>> {
    let components = components(edges);
    let mut searched = BTreeSet::new();
    let first_of_each = edges.keys().filter(|node| searched.insert(components.get(node)));
    first_of_each.filter_map(|&start| shortest_cycle(start, edges, &components)).collect()
}

/// Reports definitions, tables, hook values and families that need themselves.
fn report_value_cycles(calls: &CallGraph, names: &Names, problems: &mut Vec<Problem>) {
    for circle in find_cycles(&calls.value_edges) {
        let members: Vec<(String, Option<Span>)> = circle
            .iter()
            .map(|value| match value {
                ValueNode::Value(name) => (name.to_string(), names.values.get(name).map(|value| value.span)),
                ValueNode::Family(name) => (format!("can {name}"), names.families.get(name).map(|family| family.name.span)),
            })
            .collect();
        let Some((first, _)) = members.first() else { continue };
        let message = match members.as_slice() {
            [_] => format!("`{first}` is defined by itself"),
            members => format!("`{first}` is defined by itself: {}", cycle_text(members)),
        };
        problems.push(
            add_places(Problem::error(codes::GOES_IN_CIRCLES, message), &members).help("define one of them without the others"),
        );
    }
}

/// Formats a cycle: `a → b → a`.
fn cycle_text(members: &[(String, Option<Span>)]) -> String {
    let names: Vec<String> = members.iter().chain(members.first()).map(|(name, _)| format!("`{name}`")).collect();
    names.join(" → ")
}

/// Labels each member of a cycle in the source.
fn add_places(mut problem: Problem, members: &[(String, Option<Span>)]) -> Problem {
    let mut remark = "goes round in a circle";
    for span in members.iter().filter_map(|(_, span)| *span) {
        problem = problem.with_label(span, remark);
        remark = "by way of this";
    }
    problem
}

/// Warns of procedures that call each other without a question in between.
fn report_procedure_cycles(calls: &CallGraph, names: &Names, problems: &mut Vec<Problem>) {
    let silent = calls.direct.iter().filter(|(from, _)| !calls.asking.contains(*from));
    let edges = silent.map(|(from, called)| (*from, called.clone())).collect();
    for circle in find_cycles(&edges) {
        let members: Vec<(String, Option<Span>)> = circle
            .iter()
            .map(|name| (name.to_string(), names.procedures.get(name).map(|procedure| procedure.name.span)))
            .collect();
        let Some((first, _)) = members.first() else { continue };
        let by = if circle.len() == 1 { String::new() } else { format!(": {}", cycle_text(&members)) };
        let message = format!("`{first}` calls itself without a question in between{by}");
        let problem = add_places(Problem::probable_warning(codes::GOES_IN_CIRCLES, message), &members);
        let help = "more than 200 nested calls are a fault; `repeat at most … times` has no such limit";
        problems.push(problem.help(help));
    }
}

/// The error for procedures that call each other and never end. Each is given with the place of its name.
pub fn endless_procedures_problem(members: &[(String, Option<Span>)]) -> Problem {
    let first = members.first().map_or("", |(name, _)| name);
    let by = if members.len() == 1 { String::new() } else { format!(": {}", cycle_text(members)) };
    let problem = Problem::error(codes::GOES_IN_CIRCLES, format!("`{first}` calls itself and never ends{by}"));
    add_places(problem, members).help("to repeat something, write `repeat at most … times`, and in a script a `for`")
}

/// Reports a `stop` that is neither in the procedure it stops nor in code that this leads to.
fn report_stray_stops(calls: &CallGraph, names: &Names, problems: &mut Vec<Problem>) {
    for (node, procedure, span) in &calls.stops {
        if *node == Node::Procedure(procedure) || can_reach(calls, Node::Procedure(procedure), *node) {
            continue;
        }
        let message = format!("`{procedure}` cannot be running here");
        let mut problem = Problem::error(codes::STOP_OUTSIDE, message).with_label(*span, "nothing to stop");
        if let Some(declared) = names.procedures.get(procedure) {
            problem = problem.with_label(declared.name.span, "never leads to the `stop`");
        }
        problems.push(problem.help("`stop` alone ends the procedure around it"));
    }
}

/// Whether running some code can lead to other code.
fn can_reach(calls: &CallGraph, from: Node, wanted: Node) -> bool {
    let mut open = vec![from];
    let mut seen = BTreeSet::new();
    while let Some(node) = open.pop() {
        for next in calls.leads.get(&node).into_iter().flatten() {
            if *next == wanted {
                return true;
            }
            if seen.insert(*next) {
                open.push(*next);
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cycles(edges: &[(u32, u32)]) -> Vec<Vec<u32>> {
        let mut all: Edges<u32> = BTreeMap::new();
        for (from, to) in edges {
            all.entry(*from).or_default().insert(*to);
        }
        find_cycles(&all)
    }

    #[test]
    fn a_cycle_is_reported_once_and_by_the_shortest_way() {
        assert_eq!(cycles(&[(1, 2), (2, 3), (3, 1), (2, 1)]), [[1, 2]]);
        assert_eq!(cycles(&[(5, 5)]), [[5]]);
        assert_eq!(cycles(&[(1, 2), (2, 3)]), Vec::<Vec<u32>>::new());
    }

    #[test]
    fn what_only_leads_into_a_cycle_is_not_on_it() {
        assert_eq!(cycles(&[(1, 2), (2, 3), (3, 2), (3, 4)]), [[2, 3]]);
        assert_eq!(cycles(&[(1, 2), (2, 1), (2, 3), (3, 4), (4, 3)]), [[1, 2], [3, 4]]);
    }

    #[test]
    fn a_chain_into_a_cycle_takes_time_in_proportion_to_its_length() {
        let chain: Vec<(u32, u32)> = (0..200_000).map(|node| (node, node + 1)).chain([(200_000, 199_999)]).collect();
        assert_eq!(cycles(&chain), [[199_999, 200_000]]);
    }
}
