//! Shell completions and manual pages, made from the options themselves.

use clap::{Command, CommandFactory};
use precess::Error;

use crate::args::Args;
use crate::output::{Stop, print, wrong};

/// Completions for a shell.
pub fn completions(shell: clap_complete::Shell) -> Result<(), Stop> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "precess", &mut text);
    print(&String::from_utf8_lossy(&text));
    Ok(())
}

/// The manual page of a command, or of precess.
pub fn man(name: Option<&str>) -> Result<(), Stop> {
    let root = Args::command();
    let command = match name {
        None => root,
        Some(name) => page(&root, name)?,
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(command).render(&mut text).map_err(wrong)?;
    print(&String::from_utf8_lossy(&text));
    Ok(())
}

fn page(root: &Command, name: &str) -> Result<Command, Stop> {
    let found = root.get_subcommands().find(|c| c.get_name() == name).cloned();
    let names = || root.get_subcommands().map(|c| c.get_name());
    let found = found.ok_or_else(|| wrong(Error::unknown_name("command", name, names())))?;
    Ok(found.display_name(format!("precess-{name}")).bin_name(format!("precess {name}")))
}
